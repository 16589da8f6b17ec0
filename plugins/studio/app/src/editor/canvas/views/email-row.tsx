import { Fragment } from "preact";
import type {
  Component,
  ComponentType,
  ComponentOf,
} from "../../../../../../../core/plugin-api/definition.js";
import type { DesignDefaults } from "../../../../../../../core/plugin-api/app-drafts.js";
import { useCanvas } from "../canvas-state.js";
import { toPx } from "../sheet-size.js";
import {
  getDeclarations,
  type Declarations,
  isRowProperty,
  getBaseProps,
  resolveStyle,
} from "./element-props.js";
import { getView } from "./component-views.js";
import type { Place } from "./place.js";

interface EmailRowProps {
  component: Component;
  place: Place;
}

const IN_ROW: Place = { around: "block", email: "inner" };

/** Content of an email, in a row of its own with padding. */
export function EmailRow({ component, place }: EmailRowProps) {
  const canvas = useCanvas();
  const declared = getDeclarations(component, canvas);
  const { inset = getDefaultInset(canvas.editor.design.defaults) } = place;
  const around = getRowStyle(component, declared, inset);
  const style = resolveStyle(around, component, canvas);
  const Own = getView(component.type);
  return (
    <div
      {...getBaseProps(component, place, canvas)}
      class="mail-row"
      style={style}
    >
      {component.type === "social" ? (
        <SocialLinks component={component} />
      ) : (
        <Own component={component} place={IN_ROW} />
      )}
    </div>
  );
}

/** The CSS that a row takes from its content. */
function getRowStyle(
  { type }: Component,
  declared: Declarations,
  padding: string,
): Declarations {
  const margins = marginsAsPadding(declared);
  switch (type) {
    case "image":
      return {
        padding: "0",
        ...margins,
        ...getPaddings(declared),
        ...getAlignment(declared),
      };
    case "divider":
      return { padding, ...margins, ...getPaddings(declared) };
    case "button":
      return { padding, ...margins, ...getAlignment(declared) };
    case "spacer":
      return {};
    case "social":
      return { padding, "text-align": "center", ...declared };
    default:
      return { padding, ...getRowProperties(type, declared) };
  }
}

function getRowProperties(
  type: ComponentType,
  declared: Declarations,
): Declarations {
  const entries = Object.entries(declared).filter(([name]) =>
    isRowProperty(type, name),
  );
  return Object.fromEntries(entries);
}

function getPaddings(declared: Declarations): Declarations {
  const entries = Object.entries(declared).filter(([name]) =>
    name.startsWith("padding"),
  );
  return Object.fromEntries(entries);
}

/** MJML renders the margins of its own elements as padding of the row. */
function marginsAsPadding(declared: Declarations): Declarations {
  const { margin } = declared;
  return {
    ...(margin !== undefined && {
      padding: margin.replaceAll("auto", "0"),
    }),
    ...(declared["margin-top"] && { "padding-top": declared["margin-top"] }),
    ...(declared["margin-bottom"] && {
      "padding-bottom": declared["margin-bottom"],
    }),
  };
}

function getAlignment(declared: Declarations): Declarations {
  const [top = "", right = top, , left = right] =
    declared["margin"]?.split(" ") ?? [];
  const start = declared["margin-left"] ?? left;
  const end = declared["margin-right"] ?? right;
  if (start === "auto")
    return { "text-align": end === "auto" ? "center" : "right" };
  const align = declared["text-align"];
  return align === undefined ? {} : { "text-align": align };
}

/** Text links, as in the email. */
function SocialLinks({ component }: { component: ComponentOf<"social"> }) {
  const { networks } = useCanvas().editor.design.defaults.email;
  return (
    <>
      {component.items.map(({ network }, index) => (
        <Fragment key={index}>
          {index > 0 && " \u00a0 "}
          <span class="social-link">
            {networks[network.toLowerCase()] ?? capitalized(network)}
          </span>
        </Fragment>
      ))}
    </>
  );
}

function capitalized(network: string): string {
  return network.charAt(0).toUpperCase() + network.slice(1);
}

/** The default padding of content in a row of one column. */
export function getDefaultInset({ email }: DesignDefaults): string {
  const { sides, bottom } = email.inset;
  return `0 ${sides}px ${bottom}px`;
}

/** The padding of the content of each column in a row, as in the email. */
export function getInsets(
  row: Extract<Component, { type: "section" | "columns" }>,
  style: Declarations,
  { email, columnGap }: DesignDefaults,
): string[] {
  const { sides, bottom } = email.inset;
  const [edge, below] = hasPadding(style) ? [0, 0] : [sides, bottom];
  const gapOf = (gap: string | undefined) =>
    Math.round(toPx(gap) ?? toPx(columnGap) ?? 0);
  const between = row.type === "columns" ? gapOf(row.gap) / 2 : edge;
  const last = row.components.length - 1;
  return row.components.map((_column, index) => {
    const left = index === 0 ? edge : between;
    const right = index === last ? edge : between;
    return `0 ${right}px ${below}px ${left}px`;
  });
}

export function hasPadding(style: Declarations): boolean {
  return Object.keys(style).some((property) => property.startsWith("padding"));
}

/** The width of each column in percent. Columns without a width share the rest equally. */
export function getShares(
  columns: readonly Component[],
  width: number,
): number[] {
  const given = columns.map((column) =>
    column.type === "column" ? parseShare(column.width, width) : null,
  );
  const taken = given.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const open = given.filter((share) => share === null).length;
  return given.map((share) => share ?? (100 - taken) / Math.max(1, open));
}

function parseShare(width: string | undefined, of: number): number | null {
  const percent = /^([\d.]+)%$/.exec(width ?? "")?.[1];
  if (percent !== undefined) return Number(percent);
  const px = toPx(width);
  return px === null ? null : (px / of) * 100;
}
