import type { DesignEmail } from "../views.js";
import type { Component } from "../../definition/schema/component-schema.js";
import type { Declarations, Look, NamedStyles } from "../styles.js";

// Many mail programs drop style sheets, so all styles are inlined.

export const EMAIL_FONT =
  "Inter, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

export const EMAIL_TEXT = {
  "font-size": "15px",
  "line-height": "1.6",
  color: "#1b2230",
} as const;

/** The style of dividers. */
export const EMAIL_LINE = { width: "1px", color: "#dfe3e9" } as const;

const HEADING_SIZES = ["28px", "21px", "17px", "15px", "14px", "13px"];

/** Default styles by component type, except headings. */
export const EMAIL_BY_TYPE = {
  text: { margin: "0" },
  list: { margin: "0", "padding-left": "20px" },
  "list-item": { margin: "0 0 4px" },
  table: { width: "100%", "border-collapse": "collapse" },
  "table-cell": {
    padding: "8px 8px 8px 0",
    "border-bottom": "1px solid #e3e7ed",
    "text-align": "left",
    "vertical-align": "top",
  },
  image: { "max-width": "100%", height: "auto", border: "0" },
  divider: {
    margin: "16px 0",
    border: "0",
    "border-top": `${EMAIL_LINE.width} solid ${EMAIL_LINE.color}`,
  },
  button: {
    display: "inline-block",
    padding: "12px 22px",
    "border-radius": "6px",
    "background-color": "#1b2230",
    color: "#ffffff",
    "font-weight": "600",
    "text-decoration": "none",
  },
} as const satisfies Partial<Record<Component["type"], Declarations>>;

const byType: Partial<Record<Component["type"], Declarations>> = EMAIL_BY_TYPE;

/** The declarations for classes of the page style. */
const EMAIL_BY_CLASS: Readonly<Record<string, Declarations>> = {
  center: { "text-align": "center" },
  right: { "text-align": "right" },
};

export function emailLook(styles: NamedStyles): Look {
  return {
    of: (component, ownClasses) => ({
      classes: [],
      base: Object.assign(
        baseStyle(component),
        ...ownClasses.map((name) => EMAIL_BY_CLASS[name]),
      ),
      named: styles.declarations(component.class),
    }),
    declared: (component) => styles.declared(component),
    markdown: styleMarkdown,
  };
}

const CODE: Declarations = {
  "font-family": "Menlo, Consolas, monospace",
  "font-size": "13px",
};

/** The look of elements that components do not draw. */
const MARKDOWN_ELEMENTS: Readonly<Record<string, Declarations>> = {
  table: { ...EMAIL_BY_TYPE.table, margin: "0 0 12px" },
  th: { ...EMAIL_BY_TYPE["table-cell"], "font-weight": "600" },
  td: EMAIL_BY_TYPE["table-cell"],
  hr: EMAIL_BY_TYPE.divider,
  li: EMAIL_BY_TYPE["list-item"],
  img: { "max-width": "100%" },
  blockquote: {
    margin: "0 0 12px",
    "padding-left": "12px",
    "border-left": "3px solid #dfe3e9",
    color: "#465063",
  },
  pre: {
    ...CODE,
    margin: "0 0 12px",
    padding: "10px 12px",
    "background-color": "#f5f6f8",
    "white-space": "pre-wrap",
  },
  code: CODE,
};

const ELEMENT = /<([a-z]+)((?:\s[^<>]*?)?)(\s?\/?)>/g;
const STYLE = /\sstyle="([^"]*)"/;

/** Inlines the styles. Sanitized markup has no `<` or `>` in its attributes, and quotes them all. */
function styleMarkdown(html: string): string {
  return html.replaceAll(
    ELEMENT,
    (tag, name: string, attributes: string, end: string) => {
      const look = MARKDOWN_ELEMENTS[name];
      if (look === undefined || !Object.hasOwn(MARKDOWN_ELEMENTS, name))
        return tag;
      const ownStyle = STYLE.exec(attributes)?.[1] ?? "";
      const others = attributes.replace(STYLE, "");
      const style = Object.entries(look).map(
        ([key, value]) => `${key}:${value}`,
      );
      if (ownStyle !== "") style.push(ownStyle);
      return `<${name}${others} style="${style.join(";")}"${end}>`;
    },
  );
}

function baseStyle(component: Component): Declarations {
  return component.type === "heading"
    ? emailHeading(component.level ?? 1)
    : { ...byType[component.type] };
}

/** @param level 1 to 6 */
function emailHeading(level: number): Declarations {
  return {
    margin: "0",
    "font-size": HEADING_SIZES[level - 1] ?? EMAIL_TEXT["font-size"],
    "font-weight": "700",
    "line-height": "1.25",
  };
}

/** Default dimensions around the content of an email. */
export const EMAIL_FRAME = {
  width: 600,
  ground: 60,
  sectionPadding: "24px 0 12px",
  inset: { sides: 24, bottom: 12 },
  heroPadding: "64px 0",
  heroShare: 0.4,
} as const satisfies Omit<
  DesignEmail,
  "networks" | "networkAliases" | "linkPath" | "iconSize" | "iconColor"
>;

const { sides, bottom } = EMAIL_FRAME.inset;

/** The default padding of content in columns. */
export const INSET = `0 ${sides}px ${bottom}px`;

const LOOKS: readonly (readonly [selector: string, look: Declarations])[] = [
  ["body", { "font-family": EMAIL_FONT, ...EMAIL_TEXT }],
  ["p", EMAIL_BY_TYPE.text],
  ["ul,ol", EMAIL_BY_TYPE.list],
  ["li", EMAIL_BY_TYPE["list-item"]],
  ["table", EMAIL_BY_TYPE.table],
  ["th,td", EMAIL_BY_TYPE["table-cell"]],
  ["img", EMAIL_BY_TYPE.image],
  ["hr", EMAIL_BY_TYPE.divider],
  [".button", EMAIL_BY_TYPE.button],
];

/** The inlined styles of emails as a style sheet, for editors. It does not include what MJML renders in its own way. */
export function emailStyle(): string {
  const headings = [1, 2, 3, 4, 5, 6].map(
    (level) => [`h${level}`, emailHeading(level)] as const,
  );
  const classes = Object.entries(EMAIL_BY_CLASS).map(
    ([name, look]) => [`.${name}`, look] as const,
  );
  return [...LOOKS, ...headings, ...classes].map(rule).join("\n");
}

function rule([selector, look]: readonly [string, Declarations]): string {
  const lines = Object.entries(look).map(([name, value]) => `${name}:${value}`);
  return `${selector}{${lines.join(";")}}`;
}
