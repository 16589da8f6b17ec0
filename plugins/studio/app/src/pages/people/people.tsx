import { useState } from "preact/hooks";
import type { PersonInfo } from "../../../../../../core/plugin-api/app-people.js";
import { ask } from "../../api.js";
import { OwnersOnly } from "../../owners-only.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { Invite } from "./invite.js";
import "./people.css";
import { PersonLine } from "./person-line.js";

export function PeoplePage() {
  return (
    <OwnersOnly title="People">
      <Everyone />
    </OwnersOnly>
  );
}

function Everyone() {
  const [isInviting, setInviting] = useState(false);
  const { data, fault, reload } = useResource("", () =>
    ask<PersonInfo[]>("people"),
  );
  return (
    <>
      <PageTitle
        title="People"
        lead="Who is in your organization, and what each may do."
      >
        <Button kind="primary" onPress={() => setInviting(true)}>
          <Icon name="plus" />
          Invite someone
        </Button>
      </PageTitle>
      {fault && !data && (
        <Fault
          what="The people could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones count={3} />}
      {data && (
        <ul class="card lines">
          {data.map((person) => (
            <PersonLine person={person} onChange={reload} key={person.id} />
          ))}
        </ul>
      )}
      {isInviting && (
        <Invite onInvited={reload} onClose={() => setInviting(false)} />
      )}
    </>
  );
}
