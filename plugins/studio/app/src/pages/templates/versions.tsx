import { askPublic } from "../../api.js";
import { momentOf } from "../../format.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Empty, Fault } from "../../ui/notice.js";
import type { Template } from "./template.js";

interface Version {
  id: string;
  version: number;
  description: string;
  createdAt: string;
  createdBy: { name: string };
}

/** The snapshots of a template, the newest first. */
export function Versions({
  template,
  onTry,
}: {
  template: Template;
  onTry: (version: number) => void;
}) {
  const at = `templates/${template.id}/versions`;
  const { data, fault, reload } = useResource(at, () =>
    askPublic<Version[]>(at),
  );
  if (fault && !data)
    return (
      <Fault
        what="The versions could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return null;
  if (data.length === 0)
    return (
      <Empty icon="templates" title="No versions yet">
        <p>A version keeps the template as it is at a moment.</p>
      </Empty>
    );
  return (
    <ol class="card lines">
      {data.map((one) => (
        <VersionLine one={one} onTry={onTry} key={one.id} />
      ))}
    </ol>
  );
}

function VersionLine({
  one,
  onTry,
}: {
  one: Version;
  onTry: (version: number) => void;
}) {
  return (
    <li class="line">
      <div class="words">
        <strong>Version {one.version}</strong>
        {one.description !== "" && <span>{one.description}</span>}
        <span class="muted small">
          {momentOf(one.createdAt)} by {one.createdBy.name}
        </span>
      </div>
      <Button
        label={`Try it: version ${one.version}`}
        onPress={() => onTry(one.version)}
      >
        Try it
      </Button>
    </li>
  );
}
