/** Width and margins of every page: header, content and footer share its edges. */
export const measure = 'mx-auto w-full max-w-[78rem] px-4 sm:px-8'

/** A page marked `data-workbench` is a tool and takes more of a wide window. */
export const workbenchWidth = 'group-has-[[data-workbench]]/frame:max-w-[110rem]'
