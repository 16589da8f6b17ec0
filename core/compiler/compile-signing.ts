import { PlatenError } from "../plugin-api/index.js";
import {
  compileRepeat,
  compileText,
  repeatTypes,
  rootTypes,
  type Scope,
  type ScopeTypes,
  splitTemplate,
} from "../definition/expressions/index.js";
import {
  type Connection,
  submitterRepeat,
} from "../definition/schema/data-schema.js";
import type { ProjectData } from "../definition/schema/definition-schema.js";
import {
  type MergeOptions,
  type MergedSigners,
  type MergedSubmitter,
  startMerge,
} from "./merge-run.js";
import { escapeFieldTags } from "./markup.js";

const PATH = "$.schema[0].connection";

type WriteText = (scope: Scope) => string;
type MergeSubmitters = (root: Scope) => MergedSubmitter[];
type Submitters = NonNullable<Connection["submitters"]>;
type Submitter = Extract<Submitters, unknown[]>[number];
type Mapping = Exclude<Submitters, unknown[]>;

/** Compiles the signers and the message of a signature request. */
export function compileSigning(
  definition: ProjectData,
): (data: unknown, options: MergeOptions) => MergedSigners {
  const { submitters, message, expiresInDays, redirectUrl } =
    definition.schema[0]?.connection ?? {};
  const types = rootTypes(definition.schema);
  const named = compileSubmitters(submitters, types);
  const subject = compileWords(message?.subject, ".message.subject", types);
  const body = compileWords(message?.body, ".message.body", types);
  const address = compileTrimmed(redirectUrl, ".redirectUrl", types);
  return (data, options) => {
    const { root } = startMerge(definition, data, options);
    const words = {
      ...optional("subject", subject(root)),
      ...optional("body", body(root)),
    };
    return {
      submitters: named(root),
      message: Object.keys(words).length > 0 ? words : null,
      expiresInDays: expiresInDays ?? null,
      redirectUrl: address(root) || null,
    };
  };
}

function compileTrimmed(
  source: string | undefined,
  suffix: string,
  types: ScopeTypes,
): WriteText {
  const text = compileText(source ?? "", PATH + suffix, types);
  return (scope) => text(scope, "plain").trim();
}

/** Signature providers use `{{…}}` in messages: a template may contain such tags (`\{{…}}`), but data must not. */
function compileWords(
  source: string | undefined,
  suffix: string,
  types: ScopeTypes,
): WriteText {
  const { literals, inner } = splitTemplate(source ?? "");
  const [head = "", ...tails] = literals;
  const values = inner.map((text) =>
    compileTrimmed(`{{${text}}}`, suffix, types),
  );
  return (scope) =>
    values
      .reduce(
        (words, value, at) =>
          words + escapeFieldTags(value(scope)) + (tails[at] ?? ""),
        head,
      )
      .trim();
}

/** A property that is omitted when its text is empty. */
function optional<Name extends string>(
  name: Name,
  text: string,
): Partial<Record<Name, string>> {
  const property: Partial<Record<string, string>> = { [name]: text };
  return text === "" ? {} : property;
}

function compileSubmitters(
  submitters: Submitters | undefined,
  types: ScopeTypes,
): MergeSubmitters {
  if (submitters === undefined) return () => [];
  if (!Array.isArray(submitters)) return compileMapping(submitters, types);
  const all = submitters.map((one, at) =>
    compileSubmitter(one, `.submitters[${at}]`, types),
  );
  return (root) => all.map((merge) => merge(root));
}

function compileSubmitter(
  { role, email, name, order, values = {} }: Submitter,
  at: string,
  types: ScopeTypes,
): (root: Scope) => MergedSubmitter {
  const person = compilePerson({ role, email, name }, at, types);
  const filled = Object.entries(values).map(
    ([field, source]) =>
      [field, compileTrimmed(source, `${at}.values`, types)] as const,
  );
  return (root) => {
    const entries = filled
      .map(([field, merge]) => [field, merge(root)] as const)
      .filter(([, text]) => text !== "");
    return {
      ...person(root),
      ...(order !== undefined && { order }),
      ...(entries.length > 0 && { values: Object.fromEntries(entries) }),
      path: PATH + at,
    };
  };
}

/** Compiles a mapping: one signer for each element of a collection. */
function compileMapping(mapping: Mapping, types: ScopeTypes): MergeSubmitters {
  const at = ".submitters";
  const repeat = submitterRepeat(mapping);
  const scopes = compileRepeat(repeat, `${PATH}${at}.collection`, types);
  const inside = repeatTypes(repeat, types);
  const person = compilePerson(mapping, at, inside);
  const place = compileTrimmed(mapping.order, `${at}.order`, inside);
  return (root) =>
    scopes(root).map((scope) => {
      const path = `${PATH}${at} (${mapping.collection}[${scope.index}])`;
      const order = parseOrder(place(scope), path);
      return { ...person(scope), ...(order !== null && { order }), path };
    });
}

function compilePerson(
  sources: { role: string; email: string; name?: string | undefined },
  at: string,
  types: ScopeTypes,
): (scope: Scope) => Pick<MergedSubmitter, "role" | "email" | "name"> {
  const role = compileTrimmed(sources.role, `${at}.role`, types);
  const email = compileTrimmed(sources.email, `${at}.email`, types);
  const name = compileTrimmed(sources.name, `${at}.name`, types);
  return (scope) => ({
    role: role(scope),
    email: email(scope),
    ...optional("name", name(scope)),
  });
}

/** @throws PlatenError `invalid_request` when it is not a whole number. */
function parseOrder(text: string, path: string): number | null {
  if (text === "") return null;
  const order = Number(text);
  if (Number.isSafeInteger(order)) return order;
  throw new PlatenError("invalid_request", "The document cannot be signed.", {
    problems: [
      {
        path,
        code: "order",
        message: `The order of this signer is ${JSON.stringify(text.slice(0, 60))}, which is not a whole number.`,
        hint: "Write an expression that results in a whole number or nothing.",
      },
    ],
  });
}
