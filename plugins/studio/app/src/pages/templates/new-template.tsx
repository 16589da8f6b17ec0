import "./new-template.css";
import { useState } from "preact/hooks";
import type { BlueprintCard } from "../../../../../../core/plugin-api/app-drafts.js";
import { ask, wordsOf } from "../../api.js";
import { Link } from "../../link.js";
import { may } from "../../me.js";
import { type Resource, useResource } from "../../resource.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault, Notice } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { toast } from "../../ui/toast.js";
import { NewTemplateCard } from "./new-template-card.js";
import { NewTemplateDialog } from "./new-template-dialog.js";
import {
  blanks,
  ofBlueprint,
  ofFile,
  type Source,
} from "./new-template-source.js";
import { CardBones } from "./template-card.js";

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
