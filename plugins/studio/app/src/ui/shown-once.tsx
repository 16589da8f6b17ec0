import { Button } from "./button.js";
import { Icon } from "./icon.js";
import { Notice } from "./notice.js";
import { toast } from "./toast.js";

interface ShownOnceProps {
  secret: string;
  /** What it is: "key". */
  what: string;
  /** That it is not shown again, and what it is for. */
  why: string;
  onClose: () => void;
}

/** The only sight of something secret, to be copied. */
export function ShownOnce({ secret, what, why, onClose }: ShownOnceProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    toast(`The ${what} was copied.`);
  };
  return (
    <>
      <Notice tone="warn" title="Keep it now">
        <p>{why}</p>
      </Notice>
      <code class="command secret">{secret}</code>
      <div class="dialog-end">
        <Button onPress={copy}>
          <Icon name="copy" />
          Copy
        </Button>
        <Button kind="primary" onPress={onClose}>
          I have kept it
        </Button>
      </div>
    </>
  );
}
