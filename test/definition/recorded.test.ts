import { testRecorded } from "./recorded.js";

testRecorded(new URL("recorded/", import.meta.url));
