import type { ComponentChildren } from "preact";

interface FormProps {
  class?: string;
  onSend: () => Promise<void>;
  children: ComponentChildren;
}

/** A form that is sent by its script. */
export function Form({
  class: classes = "stack",
  onSend,
  children,
}: FormProps) {
  return (
    <form
      class={classes}
      onSubmit={(event) => {
        event.preventDefault();
        void onSend();
      }}
    >
      {children}
    </form>
  );
}
