import { PlatenError, type Problem } from "../plugin-api/index.js";
import type { PageSize, TemplateType } from "../definition/index.js";

/** The paper of a document template, named beside its definition; what is left out stays as the definition has it. */
export interface PaperChoice {
  /** `Custom` needs the definition's `page.width` and `page.height`; any other takes their place. */
  format?: PageSize | undefined;
  isLandscape?: boolean | undefined;
}

/**
 * The definition on that paper. One whose form is wrong is given back as it is: its check tells why.
 * @throws PlatenError `invalid_request` for an email, which has no paper.
 */
export function onPaper(
  definition: unknown,
  templateType: TemplateType,
  choice: PaperChoice,
): unknown {
  const { format, isLandscape } = choice;
  if (format === undefined && isLandscape === undefined) return definition;
  if (templateType === "email") throw emailHasNone(choice);
  if (!isObject(definition)) return definition;
  const { page = {} } = definition;
  if (!isObject(page)) return definition;
  const { width: _width, height: _height, ...sizeless } = page;
  const isNamed = format !== undefined && format !== "Custom";
  return {
    ...definition,
    page: {
      ...(isNamed ? sizeless : page),
      ...(format !== undefined && { size: format }),
      ...(isLandscape !== undefined && { landscape: isLandscape }),
    },
  };
}

function emailHasNone(choice: PaperChoice): PlatenError {
  const named = (["format", "isLandscape"] as const).filter(
    (name) => choice[name] !== undefined,
  );
  const problems = named.map((name): Problem => ({
    path: `$.${name}`,
    code: "misplaced",
    message: "An email has no paper.",
    hint: `Leave out ${name}; the definition's email.width says how wide it is.`,
  }));
  return new PlatenError(
    "invalid_request",
    `An email has no paper: leave out ${named.join(" and ")}.`,
    { problems },
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
