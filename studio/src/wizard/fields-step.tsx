import { useId, useState } from "preact/hooks";
import type {
  ChosenSources,
  MappedCollection,
  MappedField,
} from "../../../core/integrations/platforms/views.js";
import type {
  DataCollection,
  Field,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
import type { FieldInfo } from "../../../core/plugin-api/platform-plugin.js";
import { ask, askPublic } from "../api.js";
import { useResource } from "../resource.js";
import { whereNow } from "../router.js";
import { Button } from "../ui/button.js";
import { useAction } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import { StepContent, StepActions } from "./components.js";
import {
  type Choice,
  proceed,
  kindLabels,
  getTableQuery,
  loadTable,
} from "./steps.js";
import { t } from "../messages/index.js";
import { rich } from "../messages/rich.js";

/** Maps table fields to template fields, starting with a guess. */
export function FieldsStep({ choice }: { choice: Choice }) {
  const [chosen, setChosen] = useState(() => loadDraftSources(choice));
  // Only links determine which tables are needed, so only they reload the mapping.
  const mapping = useResource(JSON.stringify(chosen.links), () =>
    readMapping(choice, chosen.sources),
  );
  const choose = (name: string, source: string, isLink: boolean) => {
    const sources = { ...chosen.sources, [name]: source };
    const links = isLink ? { ...chosen.links, [name]: source } : chosen.links;
    setChosen({ sources, links });
    sessionStorage.setItem(keyOf(choice), JSON.stringify({ sources, links }));
  };
  return (
    <div class="stack wide-gap">
      <StepContent
        resource={mapping}
        what={t("wizard.couldntLoadFields")}
        fixStep="template"
        choice={choice}
      >
        {(data) => (
          <Mapping
            collections={withChosen(data, chosen.sources)}
            choice={choice}
            isCurrent={mapping.isCurrent}
            onChoose={choose}
            onReload={mapping.reload}
          />
        )}
      </StepContent>
      {!mapping.data && <StepActions step="fields" choice={choice} />}
    </div>
  );
}

async function readMapping(
  choice: Choice,
  sources: ChosenSources,
): Promise<MappedCollection[]> {
  const at = `wizard/mapping/${choice.template}?${getTableQuery(choice)}`;
  return (await ask<{ data: MappedCollection[] }>(at, "POST", sources)).data;
}

/** Applies choices made since the mapping was requested. */
function withChosen(
  collections: MappedCollection[],
  sources: ChosenSources,
): MappedCollection[] {
  return collections.map((collection) => ({
    ...collection,
    fields: collection.fields.map((field) => ({
      ...field,
      source: standing(
        collection,
        sources[`${collection.id}.${field.name}`],
        field.source,
      ),
    })),
  }));
}

/** The chosen source, unless the table no longer has that field. */
function standing(
  { table }: MappedCollection,
  chosen: string | undefined,
  source: string | null,
): string | null {
  const isThere = chosen === "" || table.fields.some(({ id }) => id === chosen);
  return chosen !== undefined && isThere ? chosen : source;
}

interface MappingProps {
  collections: MappedCollection[];
  choice: Choice;
  /** Whether they belong to the links that are currently chosen. */
  isCurrent: boolean;
  onChoose: (name: string, source: string, isLink: boolean) => void;
  onReload: () => Promise<void>;
}

function Mapping(props: MappingProps) {
  const { collections, choice, isCurrent, onChoose, onReload } = props;
  const open = findUnmappedFields(collections);
  const [isTold, setTold] = useState(false);
  const { isBusy, fault, run } = useAction(async () => {
    setTold(true);
    if (open.length > 0) return;
    const isHere = whereNow();
    await saveMapping(choice, collections);
    if (isHere()) proceed("file");
  });
  return (
    <>
      {collections.map((collection) => (
        <CollectionFields
          collection={collection}
          isRoot={collection === collections[0]}
          onChoose={onChoose}
          key={collection.id}
        />
      ))}
      {isTold && open.length > 0 && (
        <Notice tone="bad" title={t("wizard.fieldsNotMapped")}>
          <p>{t("wizard.fieldsNotMappedHelp", { labels: open.join(", ") })}</p>
        </Notice>
      )}
      {fault !== null && (
        <Notice tone="bad" title={t("wizard.couldntSaveTemplate")}>
          <p>{fault}</p>
          <Button onPress={onReload}>{t("wizard.readItAgain")}</Button>
        </Notice>
      )}
      <StepActions step="fields" choice={choice}>
        {open.length > 0 && (
          <span class="small warn-words">
            {t("wizard.countFieldsToChoose", { count: open.length })}
          </span>
        )}
        <Button kind="primary" isBusy={isBusy || !isCurrent} onPress={run}>
          {t("wizard.saveAndContinue")}
        </Button>
      </StepActions>
    </>
  );
}

interface CollectionFieldsProps {
  collection: MappedCollection;
  isRoot: boolean;
  /** @param name as `collection.field`. */
  onChoose: (name: string, source: string, isLink: boolean) => void;
}

/** The fields of a collection, each with its source and the value in the first record. */
function CollectionFields(props: CollectionFieldsProps) {
  const { collection, isRoot, onChoose } = props;
  const { id, label, table, fields, samples } = collection;
  const heading = useId();
  const shownFields = fields.filter(
    ({ type, source }) => type !== "Autogenerated" || source !== "",
  );
  return (
    <section class="card mapping" aria-labelledby={heading}>
      <header class="mapping-head">
        <h2 id={heading}>{isRoot ? t("wizard.record") : label}</h2>
        <p class="small muted">
          {rich(
            isRoot ? "wizard.filledFrom" : "wizard.eachFilledFrom",
            {},
            { table: table.name },
          )}
        </p>
      </header>
      {shownFields.length === 0 && (
        <p class="small muted mapping-none">{t("wizard.noTemplateFields")}</p>
      )}
      <ul>
        {shownFields.map((field) => (
          <MappedLine
            field={field}
            fields={table.fields}
            sample={samples[field.source ?? ""] ?? ""}
            onChoose={(source) =>
              onChoose(`${id}.${field.name}`, source, field.target !== null)
            }
            key={field.name}
          />
        ))}
      </ul>
    </section>
  );
}

const typeWords: Record<MappedField["type"], string> = {
  Autogenerated: t("common.id"),
  String: t("common.text"),
  Number: t("common.number"),
  Date: t("common.date"),
  Boolean: t("fields.yesNo"),
  OneToOneLink: t("wizard.oneLinkedRecord"),
  OneToManyLink: t("wizard.linkedRecords"),
};

interface MappedLineProps {
  field: MappedField;
  fields: readonly FieldInfo[];
  sample: string;
  onChoose: (source: string) => void;
}

function MappedLine(props: MappedLineProps) {
  const { field, sample } = props;
  const id = useId();
  const { label, type, source } = field;
  const isOpen = source === null;
  return (
    <li class={`mapped ${isOpen ? "open" : ""}`}>
      <label class="words" for={id}>
        <span class="strong">{label}</span>
        <span class="muted small">{typeWords[type]}</span>
      </label>
      <span class="arrow" aria-hidden="true">
        <Icon name="from" size={16} />
      </span>
      <div class="mapped-source">
        <SourceChoice id={id} {...props} />
        <Sample id={`${id}-sample`} {...{ source, sample }} />
      </div>
    </li>
  );
}

function SourceChoice({
  id,
  field,
  fields,
  onChoose,
}: MappedLineProps & { id: string }) {
  const { source } = field;
  const isOpen = source === null;
  return (
    <select
      id={id}
      class="input"
      value={source ?? "?"}
      aria-invalid={isOpen}
      aria-describedby={`${id}-sample`}
      onInput={(event) => onChoose(event.currentTarget.value)}
    >
      {isOpen && (
        <option value="?" disabled>
          {t("rules.chooseField")}
        </option>
      )}
      {fields
        .filter((candidate) => fits(field.target !== null, candidate))
        .map((candidate) => (
          <option value={candidate.id} key={candidate.id}>
            {t("wizard.fieldWithType", {
              name: candidate.name,
              type: kindLabels[candidate.kind],
            })}
          </option>
        ))}
      <option value="">{t("wizard.leaveItEmpty")}</option>
    </select>
  );
}

/** Link fields can only be filled from link fields. */
function fits(isLink: boolean, { kind, link }: FieldInfo): boolean {
  return isLink ? link !== undefined : kind !== "link";
}

interface SampleProps {
  id: string;
  source: string | null;
  sample: string;
}

function Sample({ id, source, sample }: SampleProps) {
  const [classes, words] =
    source === null
      ? ["warn-words", t("wizard.noMatchingFieldInYour")]
      : source === ""
        ? ["muted", t("wizard.leftEmptyInDocument")]
        : ["muted mapped-sample", sample || t("wizard.emptyInFirstRecord")];
  return (
    <span class={`small ${classes}`} id={id}>
      {words}
    </span>
  );
}

interface Template {
  definition: ProjectData;
  updatedAt: string;
}

/**
 * Saves the mapping in the template and creates a version, since batches render versions. Does nothing if the
 * mapping is unchanged. @throws Refusal when the template was changed by somebody else.
 */
async function saveMapping(
  choice: Choice,
  collections: readonly MappedCollection[],
): Promise<void> {
  const at = `templates/${choice.template}`;
  const [{ definition, updatedAt }, { platform, name, connectionName }] =
    await Promise.all([askPublic<Template>(at), loadTable(choice)]);
  const mapped = applyMapping(definition, platform.id, choice, collections);
  if (JSON.stringify(mapped) !== JSON.stringify(definition))
    await askPublic(`${at}/definition`, "PUT", {
      definition: mapped,
      expectedVersion: updatedAt,
      createVersion: true,
      versionNote: t("wizard.versionNote", { name, connectionName }),
    });
  sessionStorage.removeItem(keyOf(choice));
}

/** The labels of the fields without a source. */
function findUnmappedFields(
  collections: readonly MappedCollection[],
): string[] {
  return collections.flatMap(({ fields }) =>
    fields
      .filter(({ source }) => source === null)
      .map(({ label }) => `“${label}”`),
  );
}

/** The definition with its connection and sources; everything else is unchanged. */
function applyMapping(
  definition: ProjectData,
  platform: string,
  { connection: connectionId, base, table: tableId }: Choice,
  collections: readonly MappedCollection[],
): ProjectData {
  const schema = definition.schema.map((collection, at) => {
    const mapped = collections.find(({ id }) => id === collection.id);
    const sourced = mapped
      ? withSources(collection, mapped, at > 0)
      : collection;
    if (at > 0) return sourced;
    const { baseId: _, ...rest } = collection.connection ?? {};
    const place = {
      platform,
      connectionId,
      tableId,
      ...(base !== "" && { baseId: base }),
    };
    return { ...sourced, connection: { ...rest, ...place } };
  });
  return { ...definition, schema };
}

function withSources(
  collection: DataCollection,
  { table, fields }: MappedCollection,
  isLinked: boolean,
): DataCollection {
  const sourced = {
    ...collection,
    fields: collection.fields.map((field) =>
      withSource(
        field,
        fields.find(({ name }) => name === field.name),
      ),
    ),
  };
  return isLinked ? { ...sourced, source: { tableId: table.id } } : sourced;
}

function withSource(field: Field, mapped: MappedField | undefined): Field {
  if (!mapped || mapped.source === null) return field;
  if (field.type === "Autogenerated" && mapped.source === "") {
    const { source: _, ...rest } = field;
    return rest;
  }
  return { ...field, source: mapped.source };
}

/** Sources chosen by hand but not saved yet; links are separate, since they determine the tables. */
interface Kept {
  sources: ChosenSources;
  links: ChosenSources;
}

function keyOf({ template, connection, base, table }: Choice): string {
  return ["platen-fields", template, connection, base, table].join(" ");
}

/** Kept in the tab's session storage, so they survive reloads. */
function loadDraftSources(choice: Choice): Kept {
  const text = sessionStorage.getItem(keyOf(choice));
  const none: Kept = { sources: {}, links: {} };
  // Only this file writes this key.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return text === null ? none : (JSON.parse(text) as Kept);
}
