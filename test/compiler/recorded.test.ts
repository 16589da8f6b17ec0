import { testResults } from "../definition/recorded.js";

testResults(new URL("recorded/", import.meta.url));
