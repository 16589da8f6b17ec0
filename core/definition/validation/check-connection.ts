import {
  checkRepeat,
  checkTemplate,
  type ScopeTypes,
} from "../expressions/index.js";
import type { Connection } from "../schema/data-schema.js";
import { submitterRepeat } from "../schema/submitter-repeat.js";
import { reportAt, type Findings } from "./report.js";
import { ofStyle, optional, type TemplateString } from "./template-strings.js";

const PATH = "$.schema[0].connection";

/** Second pass: the templates by which a signature request is addressed and worded. */
export function checkConnection(
  { message, submitters }: Connection,
  root: ScopeTypes,
  findings: Findings,
): void {
  const strings = [
    ...optional(message?.subject, ".message.subject"),
    ...optional(message?.body, ".message.body"),
    ...(Array.isArray(submitters) ? submitters.flatMap(ofSubmitter) : []),
  ];
  check(strings, root, findings);
  if (submitters !== undefined && !Array.isArray(submitters))
    checkMapping(submitters, root, findings);
}

type Submitters = NonNullable<Connection["submitters"]>;
type Submitter = Extract<Submitters, unknown[]>[number];
type Mapping = Exclude<Submitters, unknown[]>;

function ofSubmitter(submitter: Submitter, index: number): TemplateString[] {
  const at = `.submitters[${index}]`;
  return [
    ...optional(submitter.role, `${at}.role`),
    ...optional(submitter.email, `${at}.email`),
    ...optional(submitter.name, `${at}.name`),
    ...ofStyle(submitter.values, `${at}.values`),
  ];
}

function checkMapping(
  mapping: Mapping,
  root: ScopeTypes,
  findings: Findings,
): void {
  const report = reportAt(findings, `${PATH}.submitters`);
  const inside = checkRepeat(submitterRepeat(mapping), root, {
    ...report,
    at: (suffix) => report.at(suffix === ".path" ? ".collection" : suffix),
  });
  const strings = (["role", "email", "name", "order"] as const).flatMap(
    (name) => optional(mapping[name], `.submitters.${name}`),
  );
  check(strings, inside, findings);
}

function check(
  strings: readonly TemplateString[],
  types: ScopeTypes,
  findings: Findings,
): void {
  for (const { suffix, source } of strings)
    checkTemplate(source, types, reportAt(findings, PATH + suffix));
}
