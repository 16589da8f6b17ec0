import { rootTypes } from "../../definition/expressions/index.js";
import { emitComponent } from "../components/emit-component.js";
import { MARKED_NUMBERS } from "../components/numbers.js";
import { Site } from "../components/site.js";
import { literal, Pen, type Source } from "../compile/pen.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import { DEFAULT_GAP } from "../layout/column-gap.js";
import { localeOf } from "../merge/locale.js";
import { textDirection } from "../page/text-direction.js";
import { NamedStyles } from "../style/named-styles.js";
import { drawBody } from "./draw-body.js";
import { EMAIL_FRAME } from "./email-frame.js";
import {
  EMAIL_BY_TYPE,
  EMAIL_FONT,
  EMAIL_LINE,
  EMAIL_TEXT,
  emailLook,
} from "./email-look.js";
import { mjmlSite } from "./email-site.js";
import { type Attributes, writeAttributes } from "./mjml-attributes.js";
import { preheaderOf, subjectOf } from "./email-head.js";

/** A definition as the source of an MJML program. Of a document template, what emails have no use for is left out. */
export function emailMjml(definition: ProjectData): Source {
  const { components, email } = definition;
  const { locale } = localeOf(definition);
  const width = email?.width ?? EMAIL_FRAME.width;
  const pen = new Pen();
  const plain = new Site({
    pen,
    numbers: MARKED_NUMBERS,
    path: "$",
    look: emailLook(new NamedStyles(definition.styles)),
    types: rootTypes(definition.schema),
    table: null,
    lineEnds: "style",
    gap: DEFAULT_GAP,
    width,
    draw: emitComponent,
  });
  const body = drawBody(components, mjmlSite(plain));
  return pen.finish(
    `<mjml lang="${locale}" dir="${textDirection(locale)}"><mj-head>` +
      `<mj-title>${subjectOf(definition, plain)}</mj-title>` +
      `${preheaderOf(definition, plain)}${ATTRIBUTES}</mj-head>` +
      `<mj-body width="${width}px" background-color="${literal(email?.background ?? "#ffffff")}">` +
      `${testBanner(mjmlSite(plain))}${body}</mj-body></mjml>`,
  );
}

const { button } = EMAIL_BY_TYPE;

/** What MJML's elements have where a component says nothing: the look of the same as HTML. */
const USUAL: Readonly<Record<string, Attributes>> = {
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

const elements = Object.entries(USUAL).map(
  ([name, attributes]) => `<${name}${writeAttributes(attributes)}/>`,
);
const ATTRIBUTES = `<mj-attributes>${elements.join("")}</mj-attributes>`;

/** First thing in a test: this is no valid message. */
function testBanner(site: Site): string {
  return site.whenTrue(
    (_scope, run) => run.isTest,
    '<mj-section padding="0" background-color="#dc2626"><mj-column>' +
      '<mj-text align="center" color="#ffffff" font-size="14px" font-weight="700" padding="8px">TEST</mj-text>' +
      "</mj-column></mj-section>",
  );
}
