import { testResults } from "./recorded.js";

testResults(new URL("recorded/", import.meta.url));
