import type { Component } from "../definition/component-schema.js";
import type { Look } from "../style/look.js";
import type { Declarations, NamedStyles } from "../style/named-styles.js";

// Many mail programs drop style sheets, so every element carries its whole style.

export const EMAIL_FONT =
  "Inter, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

const HEADING_SIZES = ["28px", "21px", "17px", "15px", "14px", "13px"];

const BY_TYPE: Partial<Record<Component["type"], Declarations>> = {
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
    "border-top": "1px solid #dfe3e9",
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
};

/** What a class of the page style means here. */
const BY_CLASS: Readonly<Record<string, Declarations>> = {
  center: { "text-align": "center" },
  right: { "text-align": "right" },
};

/** The look of emails. */
export function emailLook(styles: NamedStyles): Look {
  return {
    of: (component, own) => ({
      classes: [],
      base: Object.assign(
        baseStyle(component),
        ...own.map((name) => BY_CLASS[name]),
      ),
      named: styles.declarations(component.class),
    }),
  };
}

/** What a component's class and style declare together. */
export function declared(component: Component, look: Look): Declarations {
  return { ...look.of(component, []).named, ...component.style };
}

function baseStyle(component: Component): Declarations {
  if (component.type !== "heading") return { ...BY_TYPE[component.type] };
  const size = HEADING_SIZES[(component.level ?? 1) - 1] ?? "15px";
  return {
    margin: "0",
    "font-size": size,
    "font-weight": "700",
    "line-height": "1.25",
  };
}
