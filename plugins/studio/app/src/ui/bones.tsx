/** Where a list will be. */
export function Bones({ count = 6 }: { count?: number }) {
  return (
    <ul class="card lines waiting" aria-label="Loading" aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <li class="line" key={index}>
          <span class="bone long" />
        </li>
      ))}
    </ul>
  );
}
