import { useState } from "preact/hooks";
import type { OpenedTable } from "../../../../../../core/plugin-api/app-wizard.js";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { useResource } from "../../resource.js";
import { whereNow } from "../../router.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { ButtonMade } from "../button-made.js";
import { type Choice, keep } from "../choice.js";
import { Loaded } from "../loaded.js";
import { Misfit } from "../misfit.js";
import { recordsOrder } from "../records-order.js";
import { readTable } from "../place-query.js";
import { StepEnd } from "../step-end.js";

interface Opened {
  table: OpenedTable;
  template: { name: string };
}

async function open(choice: Choice): Promise<Opened> {
  const [table, template] = await Promise.all([
    readTable(choice),
    askPublic<{ name: string }>(`templates/${choice.template}`),
  ]);
  return { table, template };
}

/** Makes the link, and shows what to paste where. */
export function ButtonStep({ choice }: { choice: Choice }) {
  const key = `${choice.table} ${choice.template}`;
  const opened = useResource(key, () => open(choice));
  const isMade = choice.link !== "";
  return (
    <div class="stack wide-gap">
      <Loaded
        resource={opened}
        what="The table could not be read"
        mend="table"
        choice={choice}
      >
        {(data) =>
          isMade ? (
            <ButtonMade table={data.table} choice={choice} key={choice.link} />
          ) : (
            <NewButton {...data} choice={choice} />
          )
        }
      </Loaded>
      {!(isMade && opened.data) && <StepEnd step="button" choice={choice} />}
    </div>
  );
}

interface NewButtonProps extends Opened {
  choice: Choice;
}

function NewButton({ table, template, choice }: NewButtonProps) {
  const [name, setName] = useState(template.name);
  const { isBusy, fault, run } = useAction(async () => {
    const platform = table.platform.id;
    const order = { name, platform, ...recordsOrder(choice) };
    const isHere = whereNow();
    const { id } = await askPublic<{ id: string }>("links", "POST", order);
    if (isHere()) keep("button", { link: id });
  });
  return (
    <section class="card padded stack" aria-label="The button">
      <Form onSend={run}>
        <NameField name={name} onInput={setName} />
        {fault !== null && (
          <Misfit
            title="The button could not be made"
            why={fault}
            choice={choice}
          />
        )}
        <div>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Make the button
          </Button>
        </div>
      </Form>
    </section>
  );
}

interface NameFieldProps {
  name: string;
  onInput: (name: string) => void;
}

function NameField({ name, onInput }: NameFieldProps) {
  return (
    <div class="field">
      <label for="button-name">What the button is called</label>
      <input
        id="button-name"
        class="input"
        required
        maxLength={200}
        aria-describedby="button-name-hint"
        value={name}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <span class="hint" id="button-name-hint">
        Whoever presses it reads this above the page that opens.
      </span>
    </div>
  );
}
