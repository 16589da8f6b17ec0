import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { may } from "../../me.js";
import { useResource } from "../../resource.js";
import { place } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pages.js";
import { type Connection, ConnectionLine } from "./connection-line.js";
import { NewConnection } from "./new-connection.js";
import { readTargets, type Target } from "./targets.js";

interface Opened {
  data: Connection[];
  pagination: { total: number };
  targets: Target[];
}

async function open(page: number): Promise<Opened> {
  const at = `connections?page=${page}&pageSize=24`;
  const [listed, targets] = await Promise.all([
    askPublic<Omit<Opened, "targets">>(at),
    readTargets(),
  ]);
  return { ...listed, targets };
}

export function ConnectionsPage() {
  const [isMaking, setMaking] = useState(false);
  const page = pageIn(place.value.searchParams);
  const opened = useResource(String(page), () => open(page));
  const { data, fault, reload } = opened;
  return (
    <>
      <PageTitle
        title="Connections"
        lead="Where records come from and files go, and who has documents signed."
      >
        {data && may("owner") && (
          <Button kind="primary" onPress={() => setMaking(true)}>
            <Icon name="plus" />
            New connection
          </Button>
        )}
      </PageTitle>
      {fault && <Unread why={fault} onRetry={reload} />}
      {!data && !fault && <Bones count={3} />}
      {data && <Lines opened={data} page={page} onChange={reload} />}
      {data && isMaking && (
        <NewConnection
          targets={data.targets}
          onMade={reload}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}

function Unread({ why, onRetry }: { why: string; onRetry: () => unknown }) {
  return (
    <Fault
      what="The connections could not be read"
      why={why}
      onRetry={onRetry}
    />
  );
}

interface LinesProps {
  opened: Opened;
  page: number;
  onChange: () => Promise<void>;
}

function Lines({ opened, page, onChange }: LinesProps) {
  const { total } = opened.pagination;
  if (total === 0)
    return (
      <Empty icon="connections" title="No connections yet">
        <p>
          {may("owner")
            ? "Connect a spreadsheet, a database or an e-signature service."
            : "An owner of your organization can add one."}
        </p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {opened.data.map((one) => (
          <ConnectionLine
            one={one}
            targets={opened.targets}
            onChange={onChange}
            key={one.id}
          />
        ))}
      </ul>
      <Pages page={page} total={total} what="connections" />
    </>
  );
}
