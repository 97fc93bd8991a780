import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;

/**
 * Rules in Java, asked by guest.py, and a player that speaks UGI and moves at random. Here the rules are four columns
 * into which discs fall, and three in a row win; those of a general game system stand in their place.
 *   plyground check examples/java/guest.py:Guest --against connectfour:4,4,3
 *   plyground play connectfour:4,4,3 --x "ugi:java examples/java/Guest.java"
 * "rules c b" asks for what is true after these moves: who is to move, 0 or 1; what the first player has won, or a dash
 * while the game goes on; the legal moves.
 */
public class Guest {
    /** A game after some moves: the four questions that every system of games can answer. */
    static class Rules {
        private static final int SIZE = 4, WIN = 3;
        private final int[][] disc = new int[SIZE][SIZE];  // 0 free, 1 the first player's, 2 the other's; row 0 is below
        private int plies = 0;
        private boolean won = false;

        int turn() {
            return plies % 2;
        }

        List<String> moves() {
            List<String> found = new ArrayList<>();
            for (int column = 0; column < SIZE && !won; column++) {
                if (disc[SIZE - 1][column] == 0) found.add("" + (char) ('a' + column));
            }
            return found;
        }

        void play(String move) {
            int column = move.charAt(0) - 'a', row = 0, mine = turn() + 1;
            while (disc[row][column] != 0) row++;
            disc[row][column] = mine;
            plies++;
            for (int[] way : new int[][] {{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
                int length = 1;
                for (int side : new int[] {1, -1}) {
                    int y = row + side * way[0], x = column + side * way[1];
                    while (y >= 0 && y < SIZE && x >= 0 && x < SIZE && disc[y][x] == mine) {
                        length++;
                        y += side * way[0];
                        x += side * way[1];
                    }
                }
                won |= length >= WIN;
            }
        }

        /** What the first player has won; null while the game goes on. */
        Integer utility() {
            return won ? Integer.valueOf(plies % 2 == 1 ? 1 : -1) : moves().isEmpty() ? Integer.valueOf(0) : null;
        }
    }

    private static Rules after(String[] words, int from) {
        Rules rules = new Rules();
        for (int word = from; word < words.length; word++) rules.play(words[word]);
        return rules;
    }

    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        Random chance = new Random();
        Rules here = new Rules();
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().trim().split(" +");
            switch (words[0]) {
                case "rules":
                    Rules asked = after(words, 1);
                    String utility = asked.utility() == null ? "-" : asked.utility().toString();
                    System.out.println(asked.turn() + " " + utility + " " + String.join(" ", asked.moves()));
                    break;
                case "ugi":
                    System.out.println("id name Guest\nugiok");
                    break;
                case "isready":
                    System.out.println("readyok");
                    break;
                case "position":  // position startpos moves c b
                    here = after(words, 3);
                    break;
                case "go":
                    List<String> legal = here.moves();
                    System.out.println("bestmove " + legal.get(chance.nextInt(legal.size())));
                    break;
                case "quit":
                    return;
                default:
            }
        }
    }
}
