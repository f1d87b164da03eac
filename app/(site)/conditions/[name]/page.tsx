import { codePage } from '../../_entity/code-page.tsx'

const { generateMetadata, Page } = codePage('condition')

export { generateMetadata }
export default Page
