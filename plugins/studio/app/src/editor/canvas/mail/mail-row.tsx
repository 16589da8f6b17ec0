import type {
  Component,
  ComponentType,
} from "../../../../../../../core/plugin-api/definition.js";
import { useCanvas } from "../canvas-state.js";
import {
  declaredBy,
  type Declarations,
  isCarried,
  marksOf,
  shownStyle,
} from "../look.js";
import type { Place } from "../place.js";
import { viewOf } from "../views.js";
import { usualInset } from "./insets.js";
import { SocialLinks } from "./social-links.js";

interface MailRowProps {
  component: Component;
  place: Place;
}

const inner: Place = { around: "block", mail: "inner" };

/** Content of an email: each has a row of its own, with room around it. */
export function MailRow({ component, place }: MailRowProps) {
  const canvas = useCanvas();
  const declared = declaredBy(component, canvas);
  const { inset = usualInset(canvas.editor.design.defaults) } = place;
  const around = rowStyle(component, declared, inset);
  const style = shownStyle(around, component, canvas);
  const Own = viewOf(component.type);
  return (
    <div {...marksOf(component, place, canvas)} class="mail-row" style={style}>
      {component.type === "social" ? (
        <SocialLinks component={component} />
      ) : (
        <Own component={component} place={inner} />
      )}
    </div>
  );
}

/** What a row has of its content's style, by the content's kind. */
function rowStyle(
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
        ...paddings(declared),
        ...aligned(declared),
      };
    case "divider":
      return { padding, ...margins, ...paddings(declared) };
    case "button":
      return { padding, ...margins, ...aligned(declared) };
    case "spacer":
      return {};
    case "social":
      return { padding, "text-align": "center", ...declared };
    default:
      return { padding, ...carried(type, declared) };
  }
}

function carried(type: ComponentType, declared: Declarations): Declarations {
  const entries = Object.entries(declared).filter(([name]) =>
    isCarried(type, name),
  );
  return Object.fromEntries(entries);
}

function paddings(declared: Declarations): Declarations {
  const entries = Object.entries(declared).filter(([name]) =>
    name.startsWith("padding"),
  );
  return Object.fromEntries(entries);
}

/** MJML draws the margins of what it has elements for as room within the row. */
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

function aligned(declared: Declarations): Declarations {
  const [top = "", right = top, , left = right] =
    declared["margin"]?.split(" ") ?? [];
  const start = declared["margin-left"] ?? left;
  const end = declared["margin-right"] ?? right;
  if (start === "auto")
    return { "text-align": end === "auto" ? "center" : "right" };
  const align = declared["text-align"];
  return align === undefined ? {} : { "text-align": align };
}
