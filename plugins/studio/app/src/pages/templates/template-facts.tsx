import { momentOf } from "../../format.js";
import { Link } from "../../link.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import type { Template } from "./template.js";

/** What else there is to know of a template; its id above all, which programs need. */
export function TemplateFacts({ template }: { template: Template }) {
  const { id, templateType, isActive, version, dataSource } = template;
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    toast("The id was copied.");
  };
  return (
    <dl class="card padded facts">
      <dt>Id</dt>
      <dd class="row">
        <code>{id}</code>
        <Button kind="quiet" isIcon label="Copy the id" onPress={copy}>
          <Icon name="copy" />
        </Button>
      </dd>
      <dt>Kind</dt>
      <dd>{templateType === "email" ? "Email" : "Document"}</dd>
      <dt>State</dt>
      <dd>{isActive ? "Active" : "Not active: it cannot be rendered"}</dd>
      <dt>Newest version</dt>
      <dd>{version}</dd>
      <dt>Records from</dt>
      <dd>{dataSource?.platform ?? "Requests alone"}</dd>
      <dt>Made of it</dt>
      <dd>
        <Link to={`documents?template=${id}`}>Its documents</Link>
      </dd>
      <dt>Created</dt>
      <dd>{momentOf(template.createdAt)}</dd>
      <dt>Last changed</dt>
      <dd>{momentOf(template.updatedAt)}</dd>
    </dl>
  );
}
