import subsetFont from "subset-font";
import { answerRequests } from "../../lib/threads.js";
import { readFace } from "./font-files.js";

/** To the thread: a face as `readFace` names it, and the characters to keep. */
export interface SubsetRequest {
  file: string;
  characters: string;
}

/**
 * What browsers apply by themselves, and what CSS can ask for by `font-variant`. Each further feature would keep the
 * glyphs of its stylistic alternates.
 */
const FEATURES = (
  "abvf abvm abvs akhn blwf blwm blws calt ccmp cfar cjct clig curs dist fin2 fin3 fina half haln init isol jalt kern " +
  "liga ljmo locl ltra ltrm mark med2 medi mkmk mset nukt pref pres pstf psts rand rclt rkrf rlig rphf rtla rtlm rvrn " +
  "stch tjmo vatu vert vjmo vrt2 frac lnum onum pnum tnum zero ordn smcp c2sc subs sups"
).split(" ");

// The thread of `FontSubsetter`. It answers with a WOFF2 file.
answerRequests(async ({ file, characters }: SubsetRequest) =>
  subsetFont(await readFace(file), characters, {
    targetFormat: "woff2",
    keepFeatures: FEATURES,
  }),
);
