import type { Problem } from "../../plugin-api/index.js";
import {
  listMarkupAddresses,
  renderMarkdown,
  splitTemplate,
} from "../expressions/index.js";
import { type MarkupNode, parseMarkup } from "../markup/parse-markup.js";
import type { Component, ComponentOf } from "../schema/component-schema.js";
import type { ProjectData, TemplateType } from "../schema/definition-schema.js";
import type { Text } from "../schema/text-schema.js";
import { ownStrings } from "./check-bindings.js";
import { buildTree, type TreeNode } from "./component-tree.js";
import { pathStep } from "./problems.js";

/**
 * A web or email address of the domains that are reserved for examples and tests (RFC 2606, RFC 6761). `{` stands for an
 * expression. `/cdn/` of localhost has the assets of a service that is being tried out.
 */
const reservedAddress =
  /^(?:(?:https?:)?\/\/(?:[^\s/?#@]*@)?|(?:mailto:[^?]*|[^\s/?#:@]+)@|(?=(?:www\.)?example\.))(?:[^\s/?#@:.{]+\.)*(?:test|invalid|localhost(?!(?::\d+)?\/cdn\/)|example(?:\.(?:com|net|org)\.?)?)(?::\d*)?(?:[/?#,;{]|$)/i;

/** The postal address that the footer of a new email has in the languages of the studio. */
const postalPlaceholder = /\b12345 (?:City|Stadt|Ciudad|Ville)\b/i;

/** Nothing, only the beginning of an address, or a script, which no document runs. */
const emptyAddress =
  /^(?:(?:[a-z][a-z\d+.-]*:)?(?:\/\/)?[#!]*|javascript:.*)$/is;

/** The host of an address without a scheme. It may have expressions (`{`), but does not begin with one. */
const host =
  "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_{-]*\\.)+(?:\\p{L}[\\p{L}\\p{N}-]*|\\{)(?::\\d+)?";
const bareHost = new RegExp(
  `^(?!\\w+\\.(?:html?|php|pdf)\\b)${host}(?:[/?#]|$)`,
  "u",
);
const bareMailbox = new RegExp(`^[^\\s@:/?#<>{]+@${host}$`, "u");
const barePhoneNumber = /^\+?\(?\d[\d\s()/.-]{4,}$/;
const relativePath =
  /^(?:\.{0,2}\/|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}]+)?(?:[/?#]|$))/u;

/** What was never filled in, which keeps an email from being published. @param definition that is valid */
export function findUnfinished(
  definition: ProjectData,
  templateType: TemplateType,
): Problem[] {
  if (templateType !== "email") return [];
  const { all } = buildTree(definition, []);
  const problems = [
    ...findMissingSubject(definition),
    ...all.flatMap(findEmptyAddresses),
    ...all.flatMap(findIncompleteLinks),
    ...all.flatMap(findPlaceholders),
    ...findTranslatedPlaceholders(definition),
  ];
  const distinct = new Map(
    problems.map((problem) => [`${problem.path} ${problem.message}`, problem]),
  );
  return [...distinct.values()];
}

function findMissingSubject({ email }: ProjectData): Problem[] {
  if (email && email.subject.trim() !== "") return [];
  return [
    {
      path: "$.email.subject",
      code: "missing_subject",
      message: "The email has no subject.",
      hint: "Write it above the email.",
    },
  ];
}

function findEmptyAddresses({ component, path }: TreeNode): Problem[] {
  return listAddresses(component)
    .filter(({ source }) => emptyAddress.test(readLiteral(source)))
    .map(({ suffix, isImage, words = "" }) => ({
      path: path + suffix,
      ...(isImage
        ? {
            code: "empty_image",
            message: "The image is empty.",
            hint: "Choose an image, or remove this part.",
          }
        : {
            code: "empty_link",
            message: `The link${quoteWords(words)} leads nowhere.`,
            hint: "Write its address, or remove the link.",
          }),
    }));
}

/** Links that only a page on a website could lead to: a mail program does not complete them. */
function findIncompleteLinks({ component, path }: TreeNode): Problem[] {
  return listAddresses(component).flatMap(({ suffix, source, isImage }) => {
    const address = readLiteral(source);
    const hint =
      isImage || reservedAddress.test(address) ? null : completeLink(address);
    return hint === null
      ? []
      : {
          path: path + suffix,
          code: "incomplete_link",
          message: `The link ${quote(source)} cannot be followed from an email.`,
          hint,
        };
  });
}

/** What to write instead of an address that is not complete; null for others. @param address with `{` for expressions */
function completeLink(address: string): string | null {
  if (emptyAddress.test(address)) return null;
  if (bareMailbox.test(address)) return adviseAddress(`mailto:${address}`);
  if (barePhoneNumber.test(address))
    return adviseAddress(`tel:${address.replaceAll(/[^\d+]/g, "")}`);
  if (address.startsWith("//")) return adviseAddress(`https:${address}`);
  if (bareHost.test(address)) return adviseAddress(`https://${address}`);
  return relativePath.test(address)
    ? 'Write the whole address, which starts with "https://".'
    : null;
}

function adviseAddress(address: string): string {
  return `Write ${quote(address.replaceAll("{", "…"))}.`;
}

function quote(source: string): string {
  return JSON.stringify(source.trim().slice(0, 80));
}

function quoteWords(words: string): string {
  const text = words.replaceAll(/\s+/g, " ").trim();
  return text === "" ? "" : ` ${JSON.stringify(text.slice(0, 40))}`;
}

function findPlaceholders({ component, path }: TreeNode): Problem[] {
  const texts = ownStrings(component).filter(({ source }) =>
    isPlaceholder(readLiteral(source)),
  );
  const addresses = listAddresses(component).filter(({ source }) =>
    reservedAddress.test(readLiteral(source)),
  );
  return [...texts, ...addresses].map(({ suffix, source }) =>
    describePlaceholder(path + suffix, source),
  );
}

function findTranslatedPlaceholders({ translations = {} }: ProjectData) {
  return Object.entries(translations).flatMap(([locale, texts]) =>
    Object.entries(texts)
      .filter(([, text]) => isPlaceholder(text.trim()))
      .map(([key, text]) =>
        describePlaceholder(
          `$.translations${pathStep(locale)}${pathStep(key)}`,
          text,
        ),
      ),
  );
}

function isPlaceholder(text: string): boolean {
  return (
    postalPlaceholder.test(text) ||
    // Sentences may begin with the address of an example.
    (reservedAddress.test(text) && !/\s/.test(text))
  );
}

function describePlaceholder(path: string, source: string): Problem {
  return {
    path,
    code: "placeholder_address",
    message: `${quote(source)} is a placeholder.`,
    hint: "Write your own address.",
  };
}

/** A template with `{` for each of its expressions. */
function readLiteral(source: string): string {
  return splitTemplate(source).literals.join("{").trim();
}

/** The address of an image, or of a link that a reader of the email may follow. */
interface Address {
  suffix: string;
  /** A template. */
  source: string;
  isImage: boolean;
  /** What a link says, where a component has several. */
  words?: string;
}

/** An image needs no link. */
function listAddresses(component: Component): Address[] {
  switch (component.type) {
    case "image": {
      const { src, href = "" } = component;
      return [
        { suffix: ".src", source: src, isImage: true },
        ...(href.trim() === ""
          ? []
          : [{ suffix: ".href", source: href, isImage: false }]),
      ];
    }
    case "hero":
      return [
        { suffix: ".background", source: component.background, isImage: true },
      ];
    case "social":
      return component.items.map(({ href, network }, index) => ({
        suffix: `.items[${index}].href`,
        source: href,
        isImage: false,
        words: network,
      }));
    case "button":
      return [
        { suffix: ".href", source: component.href, isImage: false },
        ...listTextLinks(component.text),
      ];
    case "heading":
    case "text":
    case "list-item":
    case "table-cell":
      return listTextLinks(component.text);
    case "markdown":
    case "html":
      return listHtmlAddresses(component);
    case "markup":
      return listMjmlAddresses(parseMarkup(component.mjml ?? "", "mjml").body);
    default:
      return [];
  }
}

function listTextLinks(text: Text | undefined): Address[] {
  if (text === undefined || typeof text === "string") return [];
  return text.flatMap((inline, index) => {
    if (typeof inline === "string" || !("text" in inline)) return [];
    return (inline.marks ?? []).flatMap((mark, at) =>
      typeof mark !== "string" && "link" in mark
        ? [
            {
              suffix: `.text[${index}].marks[${at}].link`,
              source: mark.link,
              isImage: false,
              words: inline.text,
            },
          ]
        : [],
    );
  });
}

/** Stands for an expression while its text is read; no text has it. */
const EXPRESSION = "platenexpressionplaten";

/** The addresses in HTML or Markdown. `isRefused` stands for a link that is printed as text, whatever its data is. */
export function listHtmlAddresses({
  type,
  value,
}: ComponentOf<"html" | "markdown">): (Address & { isRefused: boolean })[] {
  const source = splitTemplate(value).literals.join(EXPRESSION);
  return listMarkupAddresses(
    type === "html" ? source : renderMarkdown(source),
  ).map(({ address, isImage, isRefused, words }) => ({
    suffix: ".value",
    source: toTemplate(address),
    isImage,
    isRefused: isRefused && !address.trim().startsWith(EXPRESSION),
    words: toTemplate(words),
  }));
}

function toTemplate(text: string): string {
  return text.replaceAll("{{", "\\{{").replaceAll(EXPRESSION, "{{…}}");
}

function listMjmlAddresses(nodes: readonly MarkupNode[]): Address[] {
  return nodes.flatMap((node) => {
    if (node.kind === "text") return [];
    const { name, attributes, children, otherwise, empty } = node;
    const branches = [otherwise, empty].filter(
      (branch) => branch !== undefined,
    );
    return [
      ...attributes
        .filter(({ kind, template }) =>
          kind === "link"
            ? name !== "mj-image" || template.trim() !== ""
            : kind === "image",
        )
        .map(({ kind, template }) => ({
          suffix: ".mjml",
          source: template,
          isImage: kind === "image",
          words: readWords(children),
        })),
      ...listMjmlAddresses([...children, ...branches]),
    ];
  });
}

function readWords(nodes: readonly MarkupNode[]): string {
  return nodes
    .map((node) =>
      node.kind === "text" ? node.template : readWords(node.children),
    )
    .join("");
}
