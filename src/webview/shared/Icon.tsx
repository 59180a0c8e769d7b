/** A codicon. It says nothing to a screen reader: whatever it stands beside carries the words. */
export function Icon({ name, isSpinning = false }: { name: string; isSpinning?: boolean }) {
  return <span class={`codicon codicon-${name}${isSpinning ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
