const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const decimal = new Intl.NumberFormat("en-IE", { minimumFractionDigits: 2 });
const money = new Intl.NumberFormat("en-IE", {
  style: "currency",
  currency: "EUR",
});

module.exports = {
  day: (value) => day.format(new Date(value)),
  decimal: (value) => decimal.format(value),
  money: (value) => money.format(value),
};
