import { useState, useId } from "preact/hooks";
import type { BlueprintCard } from "../../../../../../core/plugin-api/app-drafts.js";
import { useAction, FormEnd, Form } from "../../ui/form.js";
import { ask, wordsOf, askPublic } from "../../api.js";
import { Link, go, place, whereNow, base } from "../../router.js";
import { may } from "../../session.js";
import { type Resource, useResource } from "../../resource.js";
import { Choices } from "../../ui/choices.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault, Notice } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { toast } from "../../ui/toast.js";
import { useFolders } from "../folders/folders.js";
import "./new-template.css";
import { CardBones } from "./templates.js";

type Kind = "all" | Source["templateType"];

const kinds: [Kind, string][] = [
  ["all", "All"],
  ["document", "Documents"],
  ["email", "Emails"],
];

/** What a new template can begin with: nothing, an example, or a file. */
export function NewTemplatePage() {
  return (
    <>
      <Link class="crumb" to="templates">
        <Icon name="back" size={16} />
        Templates
      </Link>
      <PageTitle
        title="New template"
        lead="Start with a blank page, or with an example that you make your own."
      />
      {may("editor") ? (
        <Sources />
      ) : (
        <Notice title="Making templates takes the role editor">
          <p>Ask an owner of your organization.</p>
        </Notice>
      )}
    </>
  );
}

function Sources() {
  const [q, setQ] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  const [chosen, setChosen] = useState<Source | null>(null);
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set());
  const found = useResource("blueprints", examples);
  const shown = matching([...blanks, ...(found.data ?? [])], q, kind);
  return (
    <>
      <div class="bar">
        <Search q={q} onSearch={setQ} />
        <Choices
          legend="Which kind"
          options={kinds}
          value={kind}
          onChoose={setKind}
        />
        <FileButton onSource={setChosen} />
      </div>
      <ul class="gallery">
        {shown.map((source, index) => (
          <NewTemplateCard
            key={source.id}
            source={source}
            isDrawn={isTurn(shown.slice(0, index), settled)}
            onSettle={() => setSettled((all) => new Set([...all, source.id]))}
            onChoose={() => setChosen(source)}
          />
        ))}
      </ul>
      {found.data && shown.length === 0 && (
        <Empty icon="search" title={`No example has “${q}” in its name`} />
      )}
      <Waiting found={found} />
      {chosen && (
        <NewTemplateDialog source={chosen} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

/** Until the examples are there, or why they are not. */
function Waiting({ found }: { found: Resource<Source[]> }) {
  const { data, fault, reload } = found;
  if (data) return null;
  if (fault === null) return <CardBones />;
  return (
    <Fault what="The examples could not be read" why={fault} onRetry={reload} />
  );
}

function matching(all: readonly Source[], q: string, kind: Kind): Source[] {
  const words = q.trim().toLowerCase();
  return all.filter(
    ({ name, description, templateType }) =>
      (kind === "all" || kind === templateType) &&
      `${name} ${description}`.toLowerCase().includes(words),
  );
}

/**
 * Two pictures at a time: the service may have to draw them first, and the browser holds a few requests only, so that
 * what somebody presses meanwhile would wait for all of them.
 */
function isTurn(
  before: readonly Source[],
  settled: ReadonlySet<string>,
): boolean {
  const isWaited = ({ id, picture }: Source) =>
    picture !== null && !settled.has(id);
  return before.filter(isWaited).length < 2;
}

async function examples(): Promise<Source[]> {
  const answer = await ask<{ blueprints: BlueprintCard[] }>("blueprints");
  return answer.blueprints.map(ofBlueprint);
}

function Search({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  return (
    <label class="search">
      <span class="hidden-text">Search the examples</span>
      <Icon name="search" />
      <input
        class="input"
        type="search"
        placeholder="Search the examples"
        value={q}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
    </label>
  );
}

/** A label, so that the browser's own chooser opens. */
function FileButton({ onSource }: { onSource: (source: Source) => void }) {
  const choose = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (!file) return;
    try {
      onSource(await ofFile(file));
    } catch (error) {
      toast(wordsOf(error));
    }
    // The same file can be chosen again.
    input.value = "";
  };
  return (
    <label class="button file-button">
      <Icon name="upload" size={18} />
      From a file
      <input
        class="hidden-text"
        type="file"
        accept=".json,application/json"
        onChange={({ currentTarget }) => void choose(currentTarget)}
      />
    </label>
  );
}

interface NewTemplateCardProps {
  source: Source;
  /** Whether its picture's turn has come. */
  isDrawn: boolean;
  onSettle?: (() => void) | undefined;
  onChoose: () => void;
}

/** Something to begin with, with its picture. */
function NewTemplateCard(props: NewTemplateCardProps) {
  const { source, isDrawn, onSettle, onChoose } = props;
  const { name, description, templateType } = source;
  return (
    <li class="card template new-template">
      <button type="button" class="template-link" onClick={onChoose}>
        <SourcePicture {...{ source, isDrawn, onSettle }} />
        <span class="template-name">{name}</span>
      </button>
      <span class="new-template-words muted small">
        {templateType === "email" ? "Email" : "Document"} · {description}
      </span>
    </li>
  );
}

/** The first page; of what is blank, a sign for its kind. */
function SourcePicture({
  source,
  isDrawn,
  onSettle,
}: Pick<NewTemplateCardProps, "source" | "isDrawn" | "onSettle">) {
  const { picture, templateType } = source;
  const [state, setState] = useState<"waits" | "there" | "failed">("waits");
  if (picture === null || state === "failed")
    return (
      <span class="thumbnail blank">
        <span class={`blank-page ${templateType}`}>
          <Icon name={templateType === "email" ? "mail" : "plus"} size={28} />
        </span>
      </span>
    );
  return (
    <span class={`thumbnail ${state}`}>
      <img
        src={isDrawn ? picture : undefined}
        alt=""
        loading="lazy"
        onLoad={() => {
          setState("there");
          onSettle?.();
        }}
        onError={() => {
          setState("failed");
          onSettle?.();
        }}
      />
    </span>
  );
}

interface NewTemplateDialogProps {
  source: Source;
  onClose: () => void;
}

/** The example in full, and what the new template is called; then its editor opens. */
function NewTemplateDialog({ source, onClose }: NewTemplateDialogProps) {
  const isBlank = source.id.startsWith("blank-");
  const [name, setName] = useState(isBlank ? "" : source.name);
  const [folderId, setFolder] = useState(
    place.peek().searchParams.get("folder") ?? "",
  );
  const { isBusy, fault, run } = useAction(async () => {
    const into = folderId === "" ? null : folderId;
    const isHere = whereNow();
    const id = await makeTemplate(source, name.trim(), into);
    if (isHere()) go(`templates/${id}/edit`);
  });
  return (
    <Dialog title={source.name} onClose={onClose}>
      <div class={source.picture === null ? "" : "new-template-split"}>
        {source.picture !== null && <SourcePicture source={source} isDrawn />}
        <Form onSend={run}>
          <p class="muted">{source.description}</p>
          <NameField name={name} onChange={setName} />
          <FolderField folderId={folderId} onChange={setFolder} />
          <FormEnd
            act="Create and open"
            fault={fault}
            isBusy={isBusy}
            onCancel={onClose}
          />
        </Form>
      </div>
    </Dialog>
  );
}

interface NameFieldProps {
  name: string;
  onChange: (name: string) => void;
}

function NameField({ name, onChange }: NameFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Name</label>
      <input
        id={id}
        class="input"
        autofocus
        required
        maxLength={255}
        pattern=".*\S.*"
        value={name}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

interface FolderFieldProps {
  folderId: string;
  onChange: (folderId: string) => void;
}

/** Where there are folders. */
function FolderField({ folderId, onChange }: FolderFieldProps) {
  const id = useId();
  const { data } = useFolders("template");
  if (!data || data.length === 0) return null;
  return (
    <div class="field">
      <label for={id}>Folder</label>
      <select
        id={id}
        class="input"
        value={folderId}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">No folder</option>
        {data.map((one) => (
          <option value={one.id} key={one.id}>
            {"\u2003".repeat(one.depth)}
            {one.name}
          </option>
        ))}
      </select>
    </div>
  );
}

type TemplateType = "document" | "email";

/** What a template is made of. */
interface Source {
  /** Unlike any other's. */
  id: string;
  name: string;
  description: string;
  templateType: TemplateType;
  /** Of the first page; null where there is nothing to see. */
  picture: string | null;
  /** What the public API is told beside the name. */
  order: Readonly<Record<string, unknown>>;
}

const blanks: readonly Source[] = [
  {
    id: "blank-document",
    name: "Blank document",
    description: "An empty page for a PDF: letters, invoices, labels.",
    templateType: "document",
    picture: null,
    order: { templateType: "document" },
  },
  {
    id: "blank-email",
    name: "Blank email",
    description: "An empty email that fits every inbox and phone.",
    templateType: "email",
    picture: null,
    order: { templateType: "email" },
  },
];

function ofBlueprint(card: BlueprintCard): Source {
  const { id } = card;
  const picture = `${base}api/blueprints/${id}/picture`;
  return { ...card, picture, order: { blueprint: id } };
}

/** A definition that somebody saved as a file. Rejects with an Error in words. */
async function ofFile(file: File): Promise<Source> {
  const { definition, name } = named(await parsed(file));
  const isEmail = "email" in definition;
  const templateType = isEmail ? "email" : "document";
  return {
    id: "file",
    name: name ?? file.name.replace(/\.json$/i, ""),
    description: `From the file ${file.name}.`,
    templateType,
    picture: null,
    order: { definition, templateType },
  };
}

async function parsed(file: File): Promise<object> {
  const text = await file.text();
  const fault = new Error(
    `${file.name} is no template. Choose a file that “Save as a file” made.`,
  );
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    throw fault;
  }
  throw fault;
}

/** Some files have the definition with its name around it. */
function named(value: object): { definition: object; name: string | null } {
  const hasInner = "definition" in value;
  const inner = hasInner ? value.definition : value;
  const definition = typeof inner === "object" && inner ? inner : value;
  const name = "name" in value ? value.name : null;
  return { definition, name: typeof name === "string" ? name : null };
}

/** @returns the new template's id */
async function makeTemplate(
  source: Source,
  name: string,
  folderId: string | null,
): Promise<string> {
  const order = { ...source.order, name };
  const { id } = await askPublic<{ id: string }>("templates", "POST", order);
  if (folderId !== null)
    await askPublic(`templates/${id}`, "PATCH", { folderId });
  return id;
}
