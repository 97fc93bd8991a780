import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Eight students' programs in Java: KIND SIDE FIRST. */
public class Player {
    static final int[][] LINES = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}
    };
    static int[] board = new int[9];
    static int moves;
    static int move;
    static String kind;

    static boolean hasWon(int player) {
        for (int[] line : LINES) {
            if (board[line[0]] == player && board[line[1]] == player && board[line[2]] == player) return true;
        }
        return false;
    }

    static int free() {
        for (int i = 0; i < 9; i++) {
            if (board[i] == 0) return i;
        }
        return -1;
    }

    static int best(int player, boolean root) {
        if (hasWon(3 - player)) return -1;
        if (free() < 0) return 0;
        int found = -2;
        for (int i = 0; i < 9; i++) {
            if (board[i] != 0) continue;
            board[i] = player;
            int value = -best(3 - player, false);
            board[i] = 0;
            if (value > found) {
                found = value;
                if (root) move = i;
            }
        }
        return found;
    }

    static void go() {
        if (hasWon(1) || hasWon(2) || free() < 0) return;
        move = kind.equals("illegal") ? 4 : free();
        if (kind.equals("perfect")) best(1, true);
        moves++;
        if (kind.equals("crash") && moves == 2) throw new IllegalStateException("the second move");
        while (kind.equals("hang") && moves == 2) {}
        if (kind.equals("talk")) System.out.println("I think that this is good");
        board[move] = 1;
        System.out.println((move % 3 + 1) + "," + (move / 3 + 1));
    }

    public static void main(String[] words) throws Exception {
        kind = words[0];
        if (kind.equals("broken")) System.exit(1);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        if (kind.equals("waits")) while (input.readLine() != null) {}
        if (words[1].equals(words[2])) go();
        for (String line; (line = input.readLine()) != null; ) {
            Matcher told = Pattern.compile("(\\d)\\D+(\\d)").matcher(line);
            if (told.find()) {
                board[Integer.parseInt(told.group(1)) - 1 + 3 * (Integer.parseInt(told.group(2)) - 1)] = 2;
                go();
            }
        }
    }
}
