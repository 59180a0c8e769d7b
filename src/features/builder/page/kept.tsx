import type { FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';

/**
 * A component that is drawn anew only when one of its props is another value: rows of long lists, and panes that most changes
 * leave as they are. Objects and functions among the props must stay the same for as long as they mean the same.
 */
export function kept<P extends object>(Drawn: FunctionComponent<P>): FunctionComponent<P> {
  return function Kept(props) {
    return useMemo(() => <Drawn {...props} />, Object.values(props));
  };
}
