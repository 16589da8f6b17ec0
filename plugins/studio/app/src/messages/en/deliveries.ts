export const deliveries = {
  delivery: "Delivery",
  pluginsLead: "Send finished documents on, such as by e-mail.",
} as const;
