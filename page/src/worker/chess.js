// The worker of a page of chess: with FEN, and listings of all states of an endgame.

import * as sweeping from "./engine/sweeping.js";
import * as fen from "./notation/fen.js";
import { parts } from "./parts.js";
import "./worker.js";

Object.assign(parts, { sweeping, fen });
