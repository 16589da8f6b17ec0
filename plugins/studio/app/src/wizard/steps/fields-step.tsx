import { useState } from "preact/hooks";
import type {
  ChosenSources,
  MappedCollection,
} from "../../../../../../core/plugin-api/app-wizard.js";
import { useAction } from "../../action.js";
import { ask } from "../../api.js";
import { countOf } from "../../format.js";
import { useResource } from "../../resource.js";
import { whereNow } from "../../router.js";
import { Button } from "../../ui/button.js";
import { Notice } from "../../ui/notice.js";
import { type Choice, proceed } from "../choice.js";
import { CollectionFields } from "../collection-fields.js";
import { keptSources, keepSources } from "../kept-sources.js";
import { Loaded } from "../loaded.js";
import { placeQuery } from "../place-query.js";
import { saveMapping } from "../save-mapping.js";
import { StepEnd } from "../step-end.js";
import { unmappedIn } from "../mapped-definition.js";

/** What fills each field of the template: guessed, and changed where the guess is wrong. */
export function FieldsStep({ choice }: { choice: Choice }) {
  const [chosen, setChosen] = useState(() => keptSources(choice));
  // Links decide which tables there are; all else only has to be remembered.
  const mapping = useResource(linksOf(chosen), () =>
    readMapping(choice, chosen.sources),
  );
  const choose = (name: string, source: string, isLink: boolean) => {
    const sources = { ...chosen.sources, [name]: source };
    const links = isLink ? { ...chosen.links, [name]: source } : chosen.links;
    setChosen({ sources, links });
    keepSources(choice, { sources, links });
  };
  return (
    <div class="stack wide-gap">
      <Loaded
        resource={mapping}
        what="The fields could not be read"
        mend="template"
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
      </Loaded>
      {!mapping.data && <StepEnd step="fields" choice={choice} />}
    </div>
  );
}

function linksOf({ links }: { links: ChosenSources }): string {
  return JSON.stringify(links);
}

async function readMapping(
  choice: Choice,
  sources: ChosenSources,
): Promise<MappedCollection[]> {
  const at = `wizard/mapping/${choice.template}?${placeQuery(choice)}`;
  return (await ask<{ data: MappedCollection[] }>(at, "POST", sources)).data;
}

/** What was chosen since the answer was asked for. */
function withChosen(
  collections: MappedCollection[],
  sources: ChosenSources,
): MappedCollection[] {
  return collections.map((one) => ({
    ...one,
    fields: one.fields.map((field) => ({
      ...field,
      source: standing(one, sources[`${one.id}.${field.name}`], field.source),
    })),
  }));
}

/** What was chosen by hand, unless the table has lost it since. */
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
  /** Whether they are those of the links that are chosen now. */
  isCurrent: boolean;
  onChoose: (name: string, source: string, isLink: boolean) => void;
  onReload: () => Promise<void>;
}

function Mapping(props: MappingProps) {
  const { collections, choice, isCurrent, onChoose, onReload } = props;
  const open = unmappedIn(collections);
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
      {collections.map((one) => (
        <CollectionFields
          collection={one}
          isRoot={one === collections[0]}
          onChoose={onChoose}
          key={one.id}
        />
      ))}
      {isTold && open.length > 0 && <StillOpen labels={open} />}
      {fault !== null && <NotSaved why={fault} onReload={onReload} />}
      <StepEnd step="fields" choice={choice}>
        {open.length > 0 && (
          <span class="small warn-words">
            {countOf(open.length, "field")} to choose
          </span>
        )}
        <Button kind="primary" isBusy={isBusy || !isCurrent} onPress={run}>
          Save and go on
        </Button>
      </StepEnd>
    </>
  );
}

interface NotSavedProps {
  why: string;
  onReload: () => Promise<void>;
}

function NotSaved({ why, onReload }: NotSavedProps) {
  return (
    <Notice tone="bad" title="The template was not changed">
      <p>{why}</p>
      <Button onPress={onReload}>Read it again</Button>
    </Notice>
  );
}

function StillOpen({ labels }: { labels: string[] }) {
  return (
    <Notice tone="bad" title="Some fields of the template have nothing yet">
      <p>
        Choose a field of your table for {labels.join(", ")}, or “Leave it
        empty”.
      </p>
    </Notice>
  );
}
