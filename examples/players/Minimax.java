import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A player in Java: minimax to the end, over standard input and output.
 *   plyground play tictactoe --o "program:java Minimax.java {side} {first}"
 * It reads (X,Y). and writes X,Y: column and row, from 1. It is started once for many games, for it knows what
 * position('xo./.../...:x'). says: it says that back, and goes on there.
 */
public class Minimax {
    private static final int[][] LINES = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    private static final Pattern MOVE = Pattern.compile("(\\d)\\s*,\\s*(\\d)");
    private static final Pattern POSITION = Pattern.compile("position\\('(...)/(...)/(...):(.)'\\)");
    private final char[] board = new char[9];
    private final char side;

    Minimax(char side) {
        this.side = side;
    }

    private static char other(char mark) {
        return mark == 'x' ? 'o' : 'x';
    }

    private boolean wins(char mark) {
        for (int[] line : LINES) {
            if (board[line[0]] == mark && board[line[1]] == mark && board[line[2]] == mark) return true;
        }
        return false;
    }

    /** The best cell for the player to move and its value: {cell, value}; cell -1 if there is none. */
    private int[] best(char mark, int depth) {
        if (wins(other(mark))) return new int[] {-1, depth - 10};
        int[] found = {-1, -100};
        for (int cell = 0; cell < 9; cell++) {
            if (board[cell] != 0) continue;
            board[cell] = mark;
            int value = -best(other(mark), depth + 1)[1];
            board[cell] = 0;
            if (value > found[1]) found = new int[] {cell, value};
        }
        return found[0] < 0 ? new int[] {-1, 0} : found;
    }

    private void play() {
        int cell = best(side, 0)[0];
        if (cell < 0) return;
        board[cell] = side;
        System.out.println((cell % 3 + 1) + "," + (cell / 3 + 1));
    }

    private void goTo(Matcher told) {
        System.out.println(told.group() + ".");
        String marks = told.group(1) + told.group(2) + told.group(3);
        for (int cell = 0; cell < 9; cell++) board[cell] = marks.charAt(cell) == '.' ? 0 : marks.charAt(cell);
        if (told.group(4).charAt(0) == side) play();
    }

    public static void main(String[] words) {
        Minimax player = new Minimax(words[0].charAt(0));
        if (words[0].equals(words[1])) player.play();
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String line = input.nextLine();
            Matcher told = POSITION.matcher(line);
            if (told.find()) player.goTo(told);
            Matcher move = MOVE.matcher(line);
            if (!move.find()) continue;
            int cell = (Integer.parseInt(move.group(2)) - 1) * 3 + Integer.parseInt(move.group(1)) - 1;
            player.board[cell] = other(player.side);
            player.play();
        }
    }
}
