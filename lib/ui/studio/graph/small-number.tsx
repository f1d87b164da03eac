'use client'

import type { ComponentProps } from 'react'
import { NumberField } from '../outline/fields.tsx'

/** A number in a node: a field where it can be changed, else only its text. */
export function SmallNumber({
  editable,
  ...rest
}: ComponentProps<typeof NumberField> & { editable: boolean }) {
  if (!editable) {
    return (
      <span className={`mono w-14 shrink-0 truncate text-right ${rest.wrong ? 'text-madder' : ''}`}>
        {rest.value || '…'}
      </span>
    )
  }
  return <NumberField {...rest} className="nodrag nopan min-h-[30px]! w-14! shrink-0 px-1!" />
}
