import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { PlatenError } from "../../plugin-api/index.js";
import { checkDepth } from "./json-depth.js";

/** @throws PlatenError `invalid_request` that tells the line and column of the first fault, or a nesting too deep. */
export function parseJson(text: string): unknown {
  const value = parseOrRefuse(text);
  checkDepth(value);
  return value;
}

function parseOrRefuse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PlatenError(
      "invalid_request",
      `The body is not valid JSON: ${firstFault(text)}.`,
    );
  }
}

/** The built-in parser mostly does not say where it stopped, so a second one looks at what it refused. */
function firstFault(text: string): string {
  const fault = findFault(text);
  if (!fault) return "a character in it is not allowed, or it nests too deep";
  const before = text.slice(0, fault.offset).split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  return `${words(printParseErrorCode(fault.error))} at line ${before.length}, column ${column}`;
}

/** Works by recursion, so a text that nests very deep ends its stack. */
function findFault(text: string): ParseError | undefined {
  const faults: ParseError[] = [];
  try {
    parse(text, faults, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return undefined;
  }
  return faults[0];
}

/** `CloseBraceExpected` -> `close brace expected`. */
function words(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
