// What callers send, whichever door it comes through: JSON and its depth, and what a schema found, in our words.
export { checkDepth, deepestJson, tooDeep } from "./json-depth.js";
export { parseJson } from "./parse-json.js";
export { requestProblems } from "./request-problems.js";
