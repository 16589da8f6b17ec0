import type {
  DataCheckOptions,
  DataProblem,
  UnknownFields,
} from "../../definition/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { PlatenError } from "../../plugin-api/index.js";
import { type Store, STORE } from "../../storage/database/index.js";
import {
  describeTemplate,
  getTemplateToRender,
  ProgramCache,
  type TemplateChoice,
  type TemplateToRender,
} from "./compiled-templates.js";

/** A record and its JSON path in the request, such as `$.data`. */
export interface RecordToCheck {
  data: unknown;
  path: string;
}

export interface DataValidationResult {
  /** Whether there are no problems; unknown fields count only with `unknownFields: "error"`. */
  valid: boolean;
  /** Of all records together, at most 1,000. */
  problems: DataProblem[];
}

const MAX_PROBLEMS = 1000;

/** Checks records against a template's schema as renders do. Nothing is rendered, stored or counted. */
@scoped(Lifecycle.ContainerScoped)
export class DataValidation {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(ProgramCache) private readonly programs: ProgramCache,
  ) {}

  /** @throws PlatenError `not_found`, and `invalid_request` for a template that may not be rendered. */
  async validate(
    choice: TemplateChoice,
    records: readonly RecordToCheck[],
    unknownFields: UnknownFields = "allow",
  ): Promise<DataValidationResult> {
    const template = await getTemplateToRender(this.store.read, choice);
    const problems = await this.findProblems(
      template,
      choice.organizationId,
      records,
      { unknownFields },
    );
    return {
      valid: problems.every(
        ({ code }) => code === "unknown_field" && unknownFields !== "error",
      ),
      problems,
    };
  }

  /** The problems of records, at most 1,000. @throws PlatenError `timeout`, `too_large` or `busy`. */
  async findProblems(
    template: TemplateToRender,
    organizationId: string,
    records: readonly RecordToCheck[],
    options: Omit<DataCheckOptions, "path">,
  ): Promise<DataProblem[]> {
    const caller = { organizationId, subject: describeTemplate(template) };
    const program = await this.programs.program(template, caller);
    return program.checkRecords(
      { records, options, maxProblems: MAX_PROBLEMS },
      { ...caller, definition: template.definition },
    );
  }
}

/**
 * The records of a request. An item without data has an empty record, as in a batch.
 * @throws PlatenError `invalid_request` unless there is either one record or a list of items
 */
export function listRecords(request: {
  data?: unknown;
  items?: readonly { data?: unknown }[] | undefined;
}): RecordToCheck[] {
  const { data, items } = request;
  if ((data === undefined) === (items === undefined))
    throw createOneSourceError();
  if (items === undefined) return [{ data, path: "$.data" }];
  return items.map(({ data: record = {} }, index) => ({
    data: record,
    path: `$.items[${index}].data`,
  }));
}

function createOneSourceError(): PlatenError {
  return new PlatenError("invalid_request", "Invalid request.", {
    problems: [
      {
        path: "$",
        code: "ambiguous",
        message: 'must have either "data" or "items".',
        hint: 'Send one record as "data", or several as "items": [{ "data": … }].',
      },
    ],
  });
}
