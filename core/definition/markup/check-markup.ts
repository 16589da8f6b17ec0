import { checkBudget } from "../../lib/time-budget.js";
import type { Problem } from "../../plugin-api/index.js";
import { AssetRegistry } from "../asset-registry.js";
import {
  type BindingProblem,
  type BindingReport,
  checkExpression,
  checkRepeat,
  checkTemplate,
  hintFor,
  isHarmless,
  safeUrl,
  type ScopeTypes,
} from "../expressions/index.js";
import type { ProjectData, TemplateType } from "../schema/definition-schema.js";
import type { Tree, TreeNode } from "../validation/component-tree.js";
import { type Findings, reportProblem } from "../validation/problems.js";
import {
  hasPagePart,
  listSheets,
  listTopMarkups,
  type MarkupComponent,
} from "./markup-parts.js";
import {
  findPosition,
  type MarkupAttribute,
  type MarkupElement,
  type MarkupNode,
  type MarkupProblem,
  PAGE_PARTS,
  parseMarkup,
} from "./parse-markup.js";
import { parseStyleAttribute } from "./style-sheet.js";
import { MJML_BLOCKS } from "./vocabulary.js";

/** Checks that each markup is written in the language of its template, and that it is allowed in its place. */
export function checkMarkupPlaces(
  tree: Tree,
  templateType: TemplateType,
  page: ProjectData["page"],
): Problem[] {
  const problems: Problem[] = [];
  for (const node of tree.all) {
    const { component, path, isValid } = node;
    if (!isValid || component.type !== "markup") continue;
    problems.push(...checkProperties(component, path, templateType));
    if (component.mjml !== undefined && templateType === "email")
      problems.push(...checkMjmlPlace(component.mjml, node));
  }
  return templateType === "email"
    ? problems
    : [...problems, ...checkPageParts(tree, page)];
}

function checkProperties(
  { html, css, mjml }: MarkupComponent,
  path: string,
  templateType: TemplateType,
): Problem[] {
  const [name, other] =
    templateType === "email" ? ["mjml", "html"] : ["html", "mjml"];
  const wanted = templateType === "email" ? mjml : html;
  const unwanted = templateType === "email" ? html : mjml;
  const foreign =
    unwanted !== undefined
      ? [
          {
            path: `${path}.${other}`,
            code: "misplaced",
            message: `Markup of ${templateType === "email" ? "emails" : "documents"} is written in ${name}, not in ${other}.`,
            hint: `Write the property "${name}" instead, or change the type of the template.`,
          },
        ]
      : [];
  if (templateType === "email" && css !== undefined)
    foreign.push({
      path: `${path}.css`,
      code: "misplaced",
      message:
        "Markup of emails has no style sheet, since many mail programs ignore it.",
      hint: "Write styles as attributes of the elements.",
    });
  if (wanted !== undefined || foreign.length > 0) return foreign;
  return [
    {
      path,
      code: "missing_property",
      message: `The property "${name}" is missing.`,
      hint: `Add it: a string with ${name === "html" ? "HTML" : "MJML"}.`,
    },
  ];
}

/** Sections stand at the top level, all other elements in a column. */
function checkMjmlPlace(mjml: string, { path, parent }: TreeNode): Problem[] {
  const roots = parseMarkup(mjml, "mjml").body.filter(
    (node) => node.kind === "element",
  );
  const around = findParent(parent);
  const inColumn = ["column", "hero"];
  const onTop = [null, "container"];
  const problem = (message: string, hint: string) => [
    { path: `${path}.mjml`, code: "misplaced", message, hint },
  ];
  const rows = roots.flatMap((root) =>
    root.name === "template"
      ? root.children.filter((child) => child.kind === "element")
      : [root],
  );
  if (rows.some(isBlock) && !rows.every(isBlock))
    return problem(
      "Sections and other elements are mixed at the top level.",
      "Put the others into an <mj-section> with an <mj-column>.",
    );
  if (rows.some(isBlock) && !onTop.includes(around))
    return problem(
      `A section is not allowed inside a ${around}.`,
      "Move the markup to the top level of the body, or write only what is in a column.",
    );
  if (![...onTop, ...inColumn].includes(around))
    return problem(
      `mjml is not allowed inside a ${around}.`,
      "Move the markup to the top level of the body, or into a column.",
    );
  return [];
}

function isBlock({ name }: MarkupElement): boolean {
  return MJML_BLOCKS.has(name);
}

function findParent(node: TreeNode | null): string | null {
  if (node?.component.type === "fragment") return findParent(node.parent);
  return node?.component.type ?? null;
}

/** Headers and footers of pages: each once, and only at the top level of the body. */
function checkPageParts(tree: Tree, page: ProjectData["page"]): Problem[] {
  const roots = tree.roots.filter(({ isInHeader }) => !isInHeader);
  const isSound = tree.all.every(({ isValid }) => isValid);
  const top = isSound
    ? listTopMarkups(roots.map(({ component }) => component))
    : [];
  const owners = new Set(top.map(({ component }) => component));
  const problems: Problem[] = [];
  for (const { component, path, isValid } of tree.all) {
    if (!isValid || component.type !== "markup") continue;
    for (const part of PAGE_PARTS) {
      if (!hasPagePart(component, part)) continue;
      const at =
        parseMarkup(component.html ?? "", "html").pages[part]?.start ?? 0;
      const add = (message: string, hint: string) =>
        problems.push(
          toProblem(`${path}.html`, component.html ?? "", {
            at,
            code: "misplaced",
            message,
            hint,
          }),
        );
      const first = top.find((candidate) =>
        hasPagePart(candidate.component, part),
      );
      if (isSound && !owners.has(component))
        add(
          "A header or footer of the pages is only allowed in markup at the top level of the body.",
          "Move it there, or write the property page.",
        );
      else if (page?.[part] !== undefined)
        add(
          `The pages have two headers or footers: this one and $.page.${part}.`,
          "Remove one of them.",
        );
      else if (first && first.component !== component)
        add(
          `The pages have two headers or footers: this one and that of ${first.path}.`,
          "Remove one of them.",
        );
    }
  }
  return problems;
}

/** Checks the block at this index of `Markup.partials` in its scope. */
type CheckPartial = (index: number, types: ScopeTypes) => void;

/** Checks everything in a markup: its syntax, its addresses and styles, and each expression in its scope. */
export function checkMarkup(
  component: MarkupComponent,
  path: string,
  types: ScopeTypes,
  isInHeader: boolean,
  findings: Findings,
  checkPartial: CheckPartial,
): void {
  const language = component.mjml === undefined ? "html" : "mjml";
  const source = component[language];
  if (source !== undefined) {
    const markup = parseMarkup(source, language);
    const checker = new MarkupChecker(
      source,
      `${path}.${language}`,
      findings,
      checkPartial,
    );
    for (const problem of markup.problems) checker.add(problem);
    hintFor("markup", () => {
      checker.checkNodes(markup.body, types, isInHeader);
      for (const element of Object.values(markup.pages))
        checker.checkNodes([element], types, true);
    });
  }
  for (const { sheet, property, start } of listSheets(component))
    for (const problem of sheet.problems)
      reportProblem(
        findings,
        toProblem(`${path}.${property}`, component[property] ?? "", {
          ...problem,
          at: problem.at + start,
        }),
      );
}

function toProblem(
  path: string,
  source: string,
  { at, ...problem }: MarkupProblem,
): Problem {
  return { path, ...problem, ...findPosition(source, at) };
}

class MarkupChecker {
  readonly #reported = new Set<string>();

  constructor(
    private readonly source: string,
    private readonly path: string,
    private readonly findings: Findings,
    private readonly checkPartial: CheckPartial,
  ) {}

  /** Reports a problem once. */
  add(problem: MarkupProblem, list = this.findings.problems): void {
    const placed = toProblem(this.path, this.source, problem);
    const { line, column, message } = placed;
    const key = `${line} ${column} ${message}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    reportProblem(this.findings, placed, list);
  }

  checkNodes(
    nodes: readonly MarkupNode[],
    types: ScopeTypes,
    isInHeader: boolean,
  ): void {
    for (const node of nodes) {
      checkBudget();
      if (node.kind === "text")
        checkTemplate(
          this.source.slice(node.start, node.end),
          types,
          this.#report(node.start),
        );
      else this.#checkElement(node, types, isInHeader);
    }
  }

  #checkElement(
    element: MarkupElement,
    types: ScopeTypes,
    isInHeader: boolean,
  ): void {
    const { test, each, otherwise, empty, name } = element;
    if (test) checkExpression(test.source, types, this.#report(test.start));
    const inside = each
      ? checkRepeat(each.rules, types, {
          ...this.#report(element.start),
          at: (suffix) => this.#report(each.starts[suffix] ?? element.start),
        })
      : types;
    if (name === "mj-social-element" && (test || each))
      this.add({
        at: element.start,
        code: "misplaced",
        message: "A single <mj-social-element> cannot be repeated or hidden.",
        hint: "Put the attribute on the <mj-social>.",
      });
    for (const attribute of element.attributes)
      this.#checkAttribute(attribute, inside);
    if (element.pageNumber) this.#checkPageNumber(element, isInHeader);
    if (element.partial !== undefined)
      this.#checkPartial(element, element.partial, inside);
    this.checkNodes(element.children, inside, isInHeader);
    const branches = [otherwise, empty].filter(
      (branch) => branch !== undefined,
    );
    this.checkNodes(branches, types, isInHeader);
  }

  #checkPartial(
    { start, children }: MarkupElement,
    index: number,
    types: ScopeTypes,
  ): void {
    if (
      children.some(
        (child) => child.kind === "element" || child.template.trim(),
      )
    )
      this.add({
        at: start,
        code: "invalid_directive",
        message: "The <template> has content, which the block would replace.",
        hint: 'Write it empty: <template data-partial="terms"></template>.',
      });
    hintFor("components", () => this.checkPartial(index, types));
  }

  #checkPageNumber(
    { start, children }: MarkupElement,
    isInHeader: boolean,
  ): void {
    if (!isInHeader)
      this.add({
        at: start,
        code: "misplaced",
        message: "Page numbers are only available in headers and footers.",
        hint: "Move it into a <header data-page> or <footer data-page>.",
      });
    if (children.length > 0)
      this.add({
        at: start,
        code: "invalid_directive",
        message:
          "The element of a page number has content, which the number would replace.",
        hint: "Write it empty: <span data-page-number></span>.",
      });
  }

  #checkAttribute(
    { name, kind, template, start, valueStart, valueEnd }: MarkupAttribute,
    types: ScopeTypes,
  ): void {
    const raw = this.source.slice(valueStart, valueEnd);
    const isConstant = !raw.includes("{{");
    const refuse = (message: string, hint: string) =>
      this.add({ at: start, code: "not_allowed", message, hint });
    const quoted = JSON.stringify(raw.slice(0, 80));
    if (
      kind === "link" &&
      isConstant &&
      template.trim() !== "" &&
      safeUrl(template) === ""
    )
      refuse(
        `${quoted} is not an allowed link address.`,
        "Write an address that starts with https:, http:, mailto: or tel:.",
      );
    if (
      kind === "image" &&
      isConstant &&
      new AssetRegistry().address(template, "") === null
    )
      refuse(
        `${quoted} is not a supported image address.`,
        "Write asset:<id>, an https address, or the data URL of an image.",
      );
    if (kind === "fragment" && !/^#[\w-]+$/.test(template))
      refuse(
        `${name}=${quoted} does not name a part of the same drawing.`,
        'Write the id of an element with a #, such as href="#arrow".',
      );
    if (kind === "constant" && isConstant && /[{}<>]/.test(template))
      refuse(
        `${name}=${quoted} is not an allowed value.`,
        "Write it without braces and angle brackets.",
      );
    if (kind === "constant" && !isConstant)
      refuse(
        `The attribute ${name} cannot have an expression, because the layout of an email is computed before records are merged.`,
        "Write one element for each case, with data-if.",
      );
    if (kind === "paint") {
      const literal = raw.replaceAll(/\{\{[^]*?\}\}/g, "0");
      const urls = literal.replaceAll(/url\(\s*(["']?)#[\w-]+\1\s*\)/gi, "");
      const isSafe = isConstant
        ? !/url|src\s*\(|image|\\|expression/i.test(urls)
        : isHarmless(literal);
      if (!isSafe)
        refuse(
          `${name}=${quoted} is not an allowed value.`,
          "Write a plain value, or url(#id) of a part of the same drawing.",
        );
    }
    if (kind === "style")
      for (const problem of parseStyleAttribute(template).problems)
        this.add({
          ...problem,
          at: Math.min(valueStart + problem.at, valueEnd),
        });
    if (!isConstant) checkTemplate(raw, types, this.#report(valueStart));
  }

  /** Reports problems of an expression, or of a text with expressions, that begins at this offset. */
  #report(offset: number): BindingReport {
    const add = (list: Problem[], problem: BindingProblem) => {
      const { expression = "", column = 1 } = problem;
      const position = this.source.indexOf(expression, offset);
      this.add(
        { ...problem, at: position < 0 ? offset : position + column - 1 },
        list,
      );
    };
    return {
      error: (problem) => add(this.findings.problems, problem),
      warning: (problem) => add(this.findings.warnings, problem),
      read: (read) =>
        this.findings.reads?.push({
          path: this.path,
          ...read,
          from: read.from + offset,
        }),
      at: () => this.#report(offset),
    };
  }
}
