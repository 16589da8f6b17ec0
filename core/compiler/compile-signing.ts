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
  type DefinedSubmitter,
  listSubmitters,
  submitterRepeat,
} from "../definition/schema/data-schema.js";
import type { ProjectData } from "../definition/schema/definition-schema.js";
import type {
  MergeOptions,
  MergedSigners,
  MergedSubmitter,
} from "./program.js";
import { compileStart } from "./start-merge.js";
import { escapeFieldTags } from "./markup.js";

const PATH = "$.schema[0].connection";

type WriteText = (scope: Scope) => string;
type MergeSubmitters = (root: Scope) => MergedSubmitter[];

/** Compiles the signers and the message of a signature request. */
export function compileSigning(
  definition: ProjectData,
): (data: unknown, options: MergeOptions) => MergedSigners {
  const { submitters, message, expiresInDays, redirectUrl } =
    definition.schema[0]?.connection ?? {};
  const start = compileStart(definition);
  const types = rootTypes(definition.schema);
  const named = compileSubmitters(submitters, types);
  const subject = compileWords(message?.subject, ".message.subject", types);
  const body = compileWords(message?.body, ".message.body", types);
  const address = compileTrimmed(redirectUrl, ".redirectUrl", types);
  return (data, options) => {
    const { root } = start(data, options);
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
  submitters: Connection["submitters"],
  types: ScopeTypes,
): MergeSubmitters {
  const all = listSubmitters(submitters).map(({ submitter, at }) =>
    compileSubmitter(submitter, at, types),
  );
  return (root) => all.flatMap((merge) => merge(root));
}

/** Compiles one signer, or with a `collection` one for each of its elements. */
function compileSubmitter(
  submitter: DefinedSubmitter,
  at: string,
  types: ScopeTypes,
): MergeSubmitters {
  const { collection } = submitter;
  const path = PATH + at;
  if (collection === undefined) {
    const merge = compileSigner(submitter, at, types);
    return (root) => [merge(root, path)];
  }
  const repeat = submitterRepeat(collection);
  const scopes = compileRepeat(repeat, `${path}.collection`, types);
  const merge = compileSigner(submitter, at, repeatTypes(repeat, types));
  return (root) =>
    scopes(root).map((scope) =>
      merge(scope, `${path} (${collection}[${scope.index}])`),
    );
}

function compileSigner(
  sources: DefinedSubmitter,
  at: string,
  types: ScopeTypes,
): (scope: Scope, path: string) => MergedSubmitter {
  const role = compileTrimmed(sources.role, `${at}.role`, types);
  const email = compileTrimmed(sources.email, `${at}.email`, types);
  const name = compileTrimmed(sources.name, `${at}.name`, types);
  const position = compileTrimmed(
    sources.order === undefined ? undefined : String(sources.order),
    `${at}.order`,
    types,
  );
  const filled = Object.entries(sources.values ?? {}).map(
    ([field, source]) =>
      [field, compileTrimmed(source, `${at}.values`, types)] as const,
  );
  return (scope, path) => {
    const order = parseOrder(position(scope), path);
    const values = filled
      .map(([field, merge]) => [field, merge(scope)] as const)
      .filter(([, text]) => text !== "");
    return {
      role: role(scope),
      email: email(scope),
      ...optional("name", name(scope)),
      ...(order !== null && { order }),
      ...(values.length > 0 && { values: Object.fromEntries(values) }),
      path,
    };
  };
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
