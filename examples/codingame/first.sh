#!/bin/sh
# A bot for CodinGame's Ultimate Tic-Tac-Toe for a POSIX shell: the first legal move.
#   plyground play ultimate --o "codingame:sh first.sh"

while read -r _; do # where the other side played; -1 -1 if it has not
    read -r count
    read -r first
    while [ "$count" -gt 1 ]; do
        read -r _
        count=$((count - 1))
    done
    echo "$first"
done
