import { useId, useState } from "preact/hooks";
import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { AskFirst } from "../../ui/dialog.js";
import { Row } from "../inspector/controls/fields.js";
import { useEditor } from "../model/editor-context.js";
import { pathOptions } from "../scope/scopes.js";
import { PathChoice } from "../text/path-choice.js";
import { nameUses } from "./name-uses.js";
import { repeatNoMore, repeatOver } from "./repeat-steps.js";

interface ListChoiceProps {
  id: string;
  component: Component;
}

/** For which list a part repeats; taking it away asks first where something inside reads it. */
export function ListChoice({ id, component }: ListChoiceProps) {
  const editor = useEditor();
  const [uses, setUses] = useState(0);
  const { collection } = component;
  const choose = (path: string) => {
    const { schema } = editor.definition.peek();
    const found = path === "" ? nameUses(component, schema) : 0;
    if (path !== "") repeatOver(editor, id, path);
    else if (found > 0) setUses(found);
    else repeatNoMore(editor, id);
  };
  return (
    <>
      <ListField id={id} path={collection?.path} onChoose={choose} />
      {collection && (
        <div class="prop-row">
          <span class="prop-label">Called</span>
          <span class="rule-name" title="Its name stays, as long as it repeats">
            {collection.collectionId}
          </span>
        </div>
      )}
      {uses > 0 && collection && (
        <AskToStop
          name={collection.collectionId}
          uses={uses}
          onStop={() => repeatNoMore(editor, id)}
          onClose={() => setUses(0)}
        />
      )}
    </>
  );
}

interface ListFieldProps {
  id: string;
  path: string | undefined;
  onChoose: (path: string) => void;
}

function ListField({ id, path, onChoose }: ListFieldProps) {
  const field = useId();
  const lists = pathOptions(useEditor(), id, "collection").filter(
    ({ kind }) => kind === "list",
  );
  if (lists.length === 0 && path === undefined)
    return (
      <p class="prop-hint">
        There is no list to repeat for. Add one in the Data tab.
      </p>
    );
  return (
    <Row id={field} label="For each">
      <PathChoice
        id={field}
        value={path ?? ""}
        options={lists}
        none="Does not repeat"
        onChange={onChoose}
      />
    </Row>
  );
}

interface AskToStopProps {
  name: string;
  uses: number;
  onStop: () => void;
  onClose: () => void;
}

function AskToStop({ name, uses, onStop, onClose }: AskToStopProps) {
  const places =
    uses === 1 ? "One place inside shows" : `${uses} places inside show`;
  return (
    <AskFirst
      title="Stop repeating?"
      act="Stop repeating"
      keep="Keep repeating"
      onAct={async () => {
        onStop();
        await Promise.resolve();
      }}
      onClose={onClose}
    >
      <p>
        {places} the fields of “{name}”. They will have nothing to show then,
        until you change them.
      </p>
    </AskFirst>
  );
}
