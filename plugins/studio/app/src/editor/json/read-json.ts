import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { faultOf } from "./fault-of.js";

/** What a typed text is: a definition, or why it is none. */
export type Reading =
  | { definition: ProjectData; fault: null }
  | { definition: null; fault: string; at: number };

const words: Readonly<Record<string, string>> = {
  CommaExpected: "a comma is missing",
  ColonExpected: "a colon is missing",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  PropertyNameExpected: "the name of a property is missing",
  ValueExpected: "a value is missing",
  UnexpectedEndOfString: "a closing quotation mark is missing",
  EndOfFileExpected: "there is more than one value",
};

/** Only what the model can hold; the service says what is wrong with the rest. */
export function readJson(text: string): Reading {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error) return { definition: null, ...syntaxFault(text, error) };
  const value: unknown = JSON.parse(text);
  const fault = faultOf(value);
  if (fault !== null) return { definition: null, fault, at: 0 };
  // What can be wrong with it beyond this is the checker's to tell.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { definition: value as ProjectData, fault: null };
}

function syntaxFault(text: string, { error, offset }: ParseError) {
  const line = text.slice(0, offset).split("\n").length;
  const why = words[printParseErrorCode(error)] ?? "this is no JSON";
  return { fault: `Line ${line}: ${why}.`, at: offset };
}
