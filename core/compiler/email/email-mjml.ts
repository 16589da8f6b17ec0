import { rootTypes } from "../../definition/expressions/index.js";
import type { Component } from "../../definition/schema/component-schema.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { DEFAULT_GAP } from "../../definition/page/layout.js";
import { escapeSource, SourceBuilder, type Source } from "../source.js";
import { emitComponent } from "../components/emit-component.js";
import {
  MARKED_NUMBERS,
  EmitContext,
  WHOLE_ROOM,
} from "../components/emit-context.js";
import { textDirection } from "../markup.js";
import { NamedStyles } from "../styles.js";
import { drawBody } from "./email-sections.js";
import { mjmlContext } from "./email-content.js";
import {
  EMAIL_FRAME,
  EMAIL_BY_TYPE,
  EMAIL_FONT,
  EMAIL_LINE,
  EMAIL_TEXT,
  emailLook,
} from "./email-style.js";
import { type Attributes, writeAttributes } from "./mjml-attributes.js";

/** Components that emails do not support are omitted. */
export function emailMjml(definition: ProjectData): Source {
  const { components, email } = definition;
  const width = email?.width ?? EMAIL_FRAME.width;
  const builder = new SourceBuilder();
  const language = builder.value(({ context }) => context.locale);
  const direction = builder.value(({ context }) =>
    textDirection(context.locale),
  );
  const plain = new EmitContext({
    builder,
    numbers: MARKED_NUMBERS,
    path: "$",
    look: emailLook(new NamedStyles(definition.styles)),
    types: rootTypes(definition.schema),
    table: null,
    lineEnds: "style",
    drawings: "image",
    gap: DEFAULT_GAP,
    width,
    room: WHOLE_ROOM,
    draw: emitComponent,
  });
  const body = drawBody(components, mjmlContext(plain));
  return builder.finish(
    `<mjml lang="${language}" dir="${direction}"><mj-head>` +
      `<mj-title>${emitSubject(definition, plain)}</mj-title>` +
      `${emitPreheader(definition, plain)}${ATTRIBUTES}</mj-head>` +
      `<mj-body width="${width}px" background-color="${escapeSource(email?.background ?? "#ffffff")}">` +
      `${testBanner(mjmlContext(plain))}${body}</mj-body></mjml>`,
  );
}

const { button } = EMAIL_BY_TYPE;

/** Default attributes of MJML elements, equal to the HTML defaults. */
const DEFAULT_ATTRIBUTES: Readonly<Record<string, Attributes>> = {
  "mj-all": { "font-family": EMAIL_FONT },
  "mj-text": { ...EMAIL_TEXT, padding: "0" },
  "mj-button": {
    "font-size": EMAIL_TEXT["font-size"],
    "font-weight": button["font-weight"],
    "background-color": button["background-color"],
    "border-radius": button["border-radius"],
    "inner-padding": button.padding,
    padding: "0",
    align: "left",
  },
  "mj-divider": {
    "border-width": EMAIL_LINE.width,
    "border-color": EMAIL_LINE.color,
  },
};

const elements = Object.entries(DEFAULT_ATTRIBUTES).map(
  ([name, attributes]) => `<${name}${writeAttributes(attributes)}/>`,
);
const ATTRIBUTES = `<mj-attributes>${elements.join("")}</mj-attributes>`;

function testBanner(context: EmitContext): string {
  return context.whenTrue(
    (_scope, run) => run.isTest,
    '<mj-section padding="0" background-color="#dc2626"><mj-column>' +
      '<mj-text align="center" color="#ffffff" font-size="14px" font-weight="700" padding="8px">TEST</mj-text>' +
      "</mj-column></mj-section>",
  );
}

/** The subject, which is the title of the page. */
function emitSubject(definition: ProjectData, context: EmitContext): string {
  const source = definition.email?.subject ?? definition.fileName ?? "";
  const path = definition.email ? "$.email.subject" : "$.fileName";
  return context.within({ path }).text(source, "html");
}

/** The preview line next to the subject; empty when there is none. */
function emitPreheader(definition: ProjectData, context: EmitContext): string {
  const { email, components } = definition;
  const inside = context.within({ path: "$.email.preheader" });
  const line = email?.preheader
    ? inside.text(email.preheader, "html")
    : componentLine(components, context);
  return line === "" ? "" : `<mj-preview>${line}</mj-preview>`;
}

/** MJML drops an empty preview line; this invisible one stays when the condition is false. */
const NOTHING = "&#8203;";

/** The text of the first preheader at the top level, if its condition is true. */
function componentLine(
  list: readonly Component[],
  context: EmitContext,
): string {
  const index = list.findIndex(({ type }) => type === "preheader");
  const component = list[index];
  if (component?.type !== "preheader") return "";
  const inside = context.within({ path: `$.components[${index}]` });
  const line = inside.text(component.text, "html");
  const { condition } = component;
  return condition ? inside.when(condition, line, NOTHING) : line;
}
