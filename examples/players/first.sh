#!/bin/sh
# A player for a POSIX shell: the first free square, over standard input and output.
#   plyground play tictactoe --o "program:sh first.sh {side} {first}"
# It reads (X,Y). and writes X,Y: column and row, from 1.

free="1,1 2,1 3,1 1,2 2,2 3,2 1,3 2,3 3,3"

play() {
    set -- $free
    [ $# -eq 0 ] && return
    echo "$1"
    shift
    free="$*"
}

[ "$1" = "$2" ] && play
while read -r line; do
    taken=$(echo "$line" | tr -cd '0-9,')
    [ -z "$taken" ] && continue
    rest=""
    for square in $free; do
        [ "$square" = "$taken" ] || rest="$rest $square"
    done
    free=$rest
    play
done
