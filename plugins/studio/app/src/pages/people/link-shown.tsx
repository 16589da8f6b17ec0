import type { PersonLink } from "../../../../../../core/plugin-api/app-people.js";
import { momentOf } from "../../format.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";

interface LinkShownProps {
  name: string;
  link: PersonLink;
  onClose: () => void;
}

/** The only sight of someone's link. */
export function LinkShown({ name, link, onClose }: LinkShownProps) {
  const { url, expiresAt, mail } = link;
  const copy = async () => {
    await navigator.clipboard.writeText(url ?? "");
    toast("The link was copied.");
  };
  return (
    <Dialog title={`A way in for ${name}`} onClose={onClose}>
      <Mailed link={link} />
      {url !== null && (
        <>
          <p>
            {mail === "sent" ? "Or give" : "Give"} this link to {name} alone. It
            works once, until {momentOf(expiresAt)}, and is not shown again.
          </p>
          <code class="command secret">{url}</code>
        </>
      )}
      {url === null && mail !== "sent" && (
        <p>
          {name} belongs to other organizations too, so the link is not shown
          here. They sign in the way they always do, and find your organization
          behind their name.
        </p>
      )}
      <div class="dialog-end">
        {url !== null && (
          <Button onPress={copy}>
            <Icon name="copy" />
            Copy the link
          </Button>
        )}
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function Mailed({ link: { mail, expiresAt } }: { link: PersonLink }) {
  if (mail === "off") return null;
  if (mail === "sent")
    return (
      <Notice tone="good" title="The link was mailed">
        <p>It works once, until {momentOf(expiresAt)}.</p>
      </Notice>
    );
  return (
    <Notice tone="bad" title="The link could not be mailed">
      <p>Whoever runs Platen finds the reason in its log.</p>
    </Notice>
  );
}
