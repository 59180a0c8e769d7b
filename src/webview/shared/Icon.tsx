/** A codicon. Hidden from screen readers: the adjacent text has the information. */
export function Icon({ name, isSpinning = false }: { name: string; isSpinning?: boolean }) {
  return <span class={`codicon codicon-${name}${isSpinning ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
