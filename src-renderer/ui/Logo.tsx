/** The mark of the product. */

import mark from '../theme/sagasmith.svg'

export function Logo({ size = 26 }: { readonly size?: number }) {
  return <img src={mark} width={size} height={size} alt="" draggable={false} />
}
