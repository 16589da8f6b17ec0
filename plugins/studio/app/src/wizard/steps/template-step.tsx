import { useAction } from "../../action.js";
import { ask, askPublic } from "../../api.js";
import { useResource } from "../../resource.js";
import { whereNow } from "../../router.js";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import { BlueprintPicks } from "../blueprint-picks.js";
import { type Choice, proceed } from "../choice.js";
import { Loaded } from "../loaded.js";
import { OwnTemplates } from "../own-templates.js";
import { placeQuery, readTable } from "../place-query.js";
import { StepEnd } from "../step-end.js";

function use(template: string): void {
  proceed("fields", { template });
}

/** A template of one's own, an example, or one that is made of the table. */
export function TemplateStep({ choice }: { choice: Choice }) {
  const at = placeQuery(choice);
  const table = useResource(at, () => readTable(choice));
  return (
    <div class="stack wide-gap">
      <Loaded
        resource={table}
        what="The table could not be read"
        mend="table"
        choice={choice}
      >
        {({ name }) => <FromTable name={name} choice={choice} onMade={use} />}
      </Loaded>
      <OwnTemplates chosen={choice.template} onUse={use} />
      <BlueprintPicks onMade={use} />
      <StepEnd step="template" choice={choice} />
    </div>
  );
}

interface FromTableProps {
  name: string;
  choice: Choice;
  onMade: (templateId: string) => void;
}

/** A first template with all of the table's fields, to be made one's own in the editor later. */
function FromTable({ name, choice, onMade }: FromTableProps) {
  const { isBusy, fault, run } = useAction(async () => {
    const isHere = whereNow();
    const at = `wizard/draft?${placeQuery(choice)}`;
    const { definition } = await ask<{ definition: ProjectData }>(at);
    const order = { name, definition };
    const made = await askPublic<{ id: string }>("templates", "POST", order);
    if (isHere()) onMade(made.id);
  });
  return (
    <section class="card padded from-table" aria-labelledby="from-table">
      <div class="picture">
        <Icon name="table" size={26} />
      </div>
      <div class="stack close">
        <h2 id="from-table">Make one from “{name}”</h2>
        <p class="muted">
          The quickest way: a tidy page with all fields of the table and what
          they link to, shown with its first record. You can change everything
          about it later.
        </p>
        {fault !== null && <Notice tone="bad" title={fault} />}
        <div class="from-table-end">
          <Button kind="primary" isBusy={isBusy} onPress={run}>
            Make a template from the table
          </Button>
        </div>
      </div>
    </section>
  );
}
