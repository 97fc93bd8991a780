// The worker of a page, with all that any game needs.

import * as sweeping from "./engine/sweeping.js";
import * as tabled from "./engine/tabled.js";
import * as fen from "./notation/fen.js";
import * as pdn from "./notation/pdn.js";
import * as sgf from "./notation/sgf.js";
import { parts } from "./parts.js";
import "./worker.js";

Object.assign(parts, { sweeping, tabled, fen, pdn, sgf });
