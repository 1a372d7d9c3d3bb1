/** Notes at the corner of the page. Pure. */

export interface Toast {
  readonly id: number
  readonly tone: 'bad' | 'good' | 'neutral'
  readonly message: string
  readonly hint: string | null
  /** One thing to do about it, right there. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** More than these would only hide the canvas. */
const toastsMax = 4

/** One more; what is said again is there anew, not twice. */
export function withToast(toasts: readonly Toast[], toast: Toast): readonly Toast[] {
  const others = toasts.filter(({ message, hint }) => message !== toast.message || hint !== toast.hint)
  return [...others, toast].slice(-toastsMax)
}
