import { rootTypes } from "../binding/index.js";
import { emitComponent } from "../components/emit-component.js";
import { MARKED_NUMBERS } from "../components/numbers.js";
import { Site } from "../components/site.js";
import { literal, Pen, type Source } from "../compile/pen.js";
import type { ProjectData } from "../definition/project-data.js";
import { DEFAULT_GAP } from "../layout/column-gap.js";
import { localeOf } from "../merge/locale.js";
import { textDirection } from "../page/text-direction.js";
import { NamedStyles } from "../style/named-styles.js";
import { drawBody } from "./draw-body.js";
import { EMAIL_FONT, emailLook } from "./email-look.js";
import { mjmlSite } from "./email-site.js";
import { preheaderOf, subjectOf } from "./email-head.js";

/** In CSS px. */
export const DEFAULT_WIDTH = 600;

/** A definition as the source of an MJML program. Of a document template, what emails have no use for is left out. */
export function emailMjml(definition: ProjectData): Source {
  const { components, email } = definition;
  const { locale } = localeOf(definition);
  const width = email?.width ?? DEFAULT_WIDTH;
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

const ATTRIBUTES =
  `<mj-attributes><mj-all font-family="${EMAIL_FONT}"/>` +
  '<mj-text font-size="15px" line-height="1.6" color="#1b2230" padding="0"/>' +
  '<mj-button font-size="15px" font-weight="600" background-color="#1b2230" border-radius="6px" inner-padding="12px 22px" padding="0" align="left"/>' +
  '<mj-divider border-width="1px" border-color="#dfe3e9"/>' +
  "</mj-attributes>";

/** First thing in a test: this is no valid message. */
function testBanner(site: Site): string {
  return site.whenTrue(
    (_scope, run) => run.isTest,
    '<mj-section padding="0" background-color="#dc2626"><mj-column>' +
      '<mj-text align="center" color="#ffffff" font-size="14px" font-weight="700" padding="8px">TEST</mj-text>' +
      "</mj-column></mj-section>",
  );
}
