import { testRecorded } from "../definition/recorded.js";

testRecorded(new URL("recorded/", import.meta.url));
