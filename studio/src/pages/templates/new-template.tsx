import type { BlueprintCard } from "../../../../core/templates/views.js";
import { useRef, useState } from "preact/hooks";
import {
  Form,
  FormActions,
  InputField,
  useAction,
  Choices,
  SearchField,
} from "../../ui/form.js";
import { askPublic, wordsOf } from "../../api.js";
import { base, go, place, whereNow } from "../../router.js";
import { may } from "../../session.js";
import { loadBlueprints, useResource } from "../../resource.js";
import { LabeledSelect } from "../../ui/select.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault, Notice } from "../../ui/notice.js";
import { Crumb, PageTitle } from "../../ui/page-title.js";
import { toast } from "../../ui/toast.js";
import { useFolders } from "../folders/folders.js";
import "./new-template.css";
import { CardBones, Thumbnail } from "./templates.js";
import { t } from "../../messages/index.js";

type Kind = "all" | TemplateSource["templateType"];

const kinds: [Kind, string][] = [
  ["all", t("common.all")],
  ["document", t("shell.documents")],
  ["email", t("newTemplate.emails")],
];

export function NewTemplatePage() {
  return (
    <>
      <Crumb to="templates">{t("shell.templates")}</Crumb>
      <PageTitle
        title={t("templates.newTemplate")}
        lead={t("templates.startWithBlankPageOr")}
      />
      {may("editor") ? (
        <SourceGallery />
      ) : (
        <Notice title={t("newTemplate.onlyEditorsCanCreateTemplates")}>
          <p>{t("newTemplate.askOwnerOfYourOrganization")}</p>
        </Notice>
      )}
    </>
  );
}

function SourceGallery() {
  const [q, setQ] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  const [chosen, setChosen] = useState<TemplateSource | null>(null);
  const isOpening = useRef(false);
  // A blank one gets its name in the editor.
  const openBlank = async (source: TemplateSource) => {
    // The second click of a double click makes no other one.
    if (isOpening.current) return;
    isOpening.current = true;
    try {
      await createAndOpen(source, t("newTemplate.untitled"), getOpenFolder());
    } catch (error) {
      toast(wordsOf(error));
    }
    isOpening.current = false;
  };
  const [loadedPictures, setLoadedPictures] = useState<ReadonlySet<string>>(
    new Set(),
  );
  const examples = useResource("blueprints", loadExamples);
  const sources = filterSources(
    [...blankTemplates, ...(examples.data ?? [])],
    q,
    kind,
  );
  return (
    <>
      <div class="bar">
        <SearchField
          words={t("newTemplate.searchExamples")}
          value={q}
          onSearch={setQ}
        />
        <Choices
          legend={t("newTemplate.templateType")}
          options={kinds}
          value={kind}
          onChoose={setKind}
        />
        <FileButton onSource={setChosen} />
      </div>
      <ul class="gallery">
        {sources.map((source, index) => (
          <SourceCard
            key={source.id}
            source={source}
            isPictureShown={canShowPicture(
              sources.slice(0, index),
              loadedPictures,
            )}
            onPictureLoaded={() =>
              setLoadedPictures((all) => new Set([...all, source.id]))
            }
            onChoose={() =>
              isBlank(source) ? openBlank(source) : setChosen(source)
            }
          />
        ))}
      </ul>
      {examples.data && sources.length === 0 && (
        <Empty icon="search" title={t("assets.noMatchesForQ", { q })} />
      )}
      {!examples.data && examples.fault === null && <CardBones />}
      {!examples.data && examples.fault !== null && (
        <Fault
          what={t("newTemplate.couldntLoadExamples")}
          why={examples.fault}
          onRetry={examples.reload}
        />
      )}
      {chosen && (
        <NewTemplateDialog source={chosen} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

function filterSources(
  all: readonly TemplateSource[],
  q: string,
  kind: Kind,
): TemplateSource[] {
  const words = q.trim().toLowerCase();
  return all.filter(
    ({ name, description, templateType }) =>
      (kind === "all" || kind === templateType) &&
      `${name} ${description}`.toLowerCase().includes(words),
  );
}

/**
 * Loads two pictures at a time: the service may have to render them first, and the browser limits parallel
 * requests, so other requests would have to wait for all pictures.
 */
function canShowPicture(
  before: readonly TemplateSource[],
  loadedPictures: ReadonlySet<string>,
): boolean {
  const isWaited = ({ id, picture }: TemplateSource) =>
    picture !== null && !loadedPictures.has(id);
  return before.filter(isWaited).length < 2;
}

async function loadExamples(): Promise<TemplateSource[]> {
  return (await loadBlueprints()).map(fromBlueprint);
}

/** A label, so that clicking it opens the browser's file dialog. */
function FileButton({
  onSource,
}: {
  onSource: (source: TemplateSource) => void;
}) {
  const choose = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (!file) return;
    try {
      onSource(await fromFile(file));
    } catch (error) {
      toast(wordsOf(error));
    }
    // Allows choosing the same file again.
    input.value = "";
  };
  return (
    <label class="button file-button">
      <Icon name="upload" size={18} />
      {t("newTemplate.fromFile")}
      <input
        class="hidden-text"
        type="file"
        accept=".json,application/json"
        onChange={({ currentTarget }) => void choose(currentTarget)}
      />
    </label>
  );
}

interface SourceCardProps {
  source: TemplateSource;
  /** Whether to load its picture now. */
  isPictureShown: boolean;
  onPictureLoaded?: (() => void) | undefined;
  onChoose: () => unknown;
}

function SourceCard(props: SourceCardProps) {
  const { source, isPictureShown, onPictureLoaded, onChoose } = props;
  const { name, description, templateType } = source;
  return (
    <li class="card template new-template">
      <button type="button" class="template-link" onClick={onChoose}>
        <TemplatePreview {...{ source, isPictureShown, onPictureLoaded }} />
        <span class="template-name">{name}</span>
      </button>
      <span class="new-template-words muted small">
        {templateType === "email" ? t("common.email") : t("common.document")} ·{" "}
        {description}
      </span>
    </li>
  );
}

/** The first page, or an icon for blank templates and files. */
function TemplatePreview({
  source: { picture, templateType },
  isPictureShown,
  onPictureLoaded,
}: Pick<SourceCardProps, "source" | "isPictureShown" | "onPictureLoaded">) {
  if (picture !== null)
    return (
      <Thumbnail
        url={picture}
        isShown={isPictureShown}
        onSettled={onPictureLoaded}
      />
    );
  return (
    <span class="thumbnail blank">
      <span class={`blank-page ${templateType}`}>
        <Icon name={templateType === "email" ? "mail" : "plus"} size={28} />
      </span>
    </span>
  );
}

/** Asks for the name and folder, creates the template and opens its editor. */
function NewTemplateDialog({
  source,
  onClose,
}: {
  source: TemplateSource;
  onClose: () => void;
}) {
  const [name, setName] = useState(source.name);
  const [folderId, setFolder] = useState(getOpenFolder);
  const { isBusy, fault, run } = useAction(() =>
    createAndOpen(source, name.trim(), folderId),
  );
  return (
    <Dialog title={source.name} onClose={onClose}>
      <div class={source.picture === null ? "" : "new-template-split"}>
        {source.picture !== null && (
          <TemplatePreview source={source} isPictureShown />
        )}
        <Form onSend={run}>
          <p class="muted">{source.description}</p>
          <InputField
            label={t("common.name")}
            autofocus
            required
            maxLength={255}
            pattern=".*\S.*"
            value={name}
            onChange={setName}
          />
          <FolderField folderId={folderId} onChange={setFolder} />
          <FormActions
            act={t("newTemplate.createAndOpen")}
            fault={fault}
            isBusy={isBusy}
            onCancel={onClose}
          />
        </Form>
      </div>
    </Dialog>
  );
}

interface FolderFieldProps {
  folderId: string;
  onChange: (folderId: string) => void;
}

/** Nothing when there are no folders. */
function FolderField({ folderId, onChange }: FolderFieldProps) {
  const { data } = useFolders("template");
  if (!data || data.length === 0) return null;
  return (
    <LabeledSelect
      label={t("common.folder")}
      value={folderId}
      options={data.map((folder) => [
        folder.id,
        "\u2003".repeat(folder.depth) + folder.name,
      ])}
      none={t("common.noFolder")}
      onChange={(id = "") => onChange(id)}
    />
  );
}

type TemplateType = "document" | "email";

/** The start of a new template: blank, an example or a file. */
interface TemplateSource {
  /** Unique. */
  id: string;
  name: string;
  description: string;
  templateType: TemplateType;
  /** URL of the first page's picture; null for blank templates and files. */
  picture: string | null;
  /** Further properties of the request that creates the template. */
  body: Readonly<Record<string, unknown>>;
}

const blankTemplates: readonly TemplateSource[] = [
  {
    id: "blank-document",
    name: t("newTemplate.blankDocument"),
    description: t("newTemplate.blankDocumentHelp"),
    templateType: "document",
    picture: null,
    body: { templateType: "document" },
  },
  {
    id: "blank-email",
    name: t("newTemplate.blankEmail"),
    description: t("newTemplate.blankEmailHelp"),
    templateType: "email",
    picture: null,
    body: { templateType: "email" },
  },
];

function isBlank({ id }: TemplateSource): boolean {
  return id.startsWith("blank-");
}

function fromBlueprint(card: BlueprintCard): TemplateSource {
  const { id } = card;
  const picture = `${base}api/blueprints/${id}/picture`;
  return { ...card, picture, body: { blueprint: id } };
}

/** Reads a definition from a file. Rejects with a readable message. */
async function fromFile(file: File): Promise<TemplateSource> {
  const { definition, name } = splitNamedDefinition(await parseFile(file));
  const isEmail = "email" in definition;
  const templateType = isEmail ? "email" : "document";
  return {
    id: "file",
    name: name ?? file.name.replace(/\.json$/i, ""),
    description: t("newTemplate.fromFileName", { name: file.name }),
    templateType,
    picture: null,
    body: { definition, templateType },
  };
}

async function parseFile(file: File): Promise<object> {
  const text = await file.text();
  const fault = new Error(t("newTemplate.notATemplate", { name: file.name }));
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    throw fault;
  }
  throw fault;
}

/** Files contain either the definition or an object with `definition` and `name`. */
function splitNamedDefinition(value: object): {
  definition: object;
  name: string | null;
} {
  const hasInner = "definition" in value;
  const inner = hasInner ? value.definition : value;
  const definition = typeof inner === "object" && inner ? inner : value;
  const name = "name" in value ? value.name : null;
  return { definition, name: typeof name === "string" ? name : null };
}

/** Of the list from which the page was opened; "" for none. */
function getOpenFolder(): string {
  return place.peek().searchParams.get("folder") ?? "";
}

async function createAndOpen(
  source: TemplateSource,
  name: string,
  folderId: string,
): Promise<void> {
  const isHere = whereNow();
  const body = { ...source.body, name };
  const { id } = await askPublic<{ id: string }>("templates", "POST", body);
  if (folderId !== "")
    await askPublic(`templates/${id}`, "PATCH", { folderId });
  if (isHere()) go(`templates/${id}/edit`);
}
