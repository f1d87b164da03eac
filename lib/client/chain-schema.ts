// Generated from the operations by `npm run openapi:generate`; not edited by hand.

export interface paths {
    "/account/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an account owns
         * @description Names of drafts and published entities alike, ascending, in three lists that page on their own. An account nobody has heard of owns nothing.
         */
        get: operations["GET_accountInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description Owners of published entities, ascending. Page with `cursor.next_after`.
         */
        get: operations["GET_accounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check a query for accounts
         * @description Says whether `GET` would accept the query; reads nothing.
         */
        head: operations["HEAD_accounts"];
        patch?: never;
        trace?: never;
    };
    "/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with a signed nonce
         * @description Trades a signed nonce for an access token that is valid for five minutes. The signature is EIP-191 (`personal_sign`): 65 bytes with `s` in its lower half and `v` of 27, 28, 0 or 1; a contract wallet is asked on chain (EIP-1271). An attempt uses up the nonce it names, right or wrong.
         */
        post: operations["POST_auth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/condition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft a condition
         * @description Compiles the body of `check(int32[] args) view returns (bool)` and keeps it as a draft of the caller, for simulation and later publication. Posting the name again revises the draft.
         */
        post: operations["POST_condition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/condition/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a condition
         * @description Drafts and published conditions alike; a draft has the address `0x0`. The source is never returned.
         */
        get: operations["GET_condition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Ask whether a condition exists
         * @description Drafts and published conditions alike. Text that cannot be a name does not exist.
         */
        head: operations["HEAD_condition"];
        patch?: never;
        trace?: never;
    };
    "/connector": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft a connector
         * @description Builds the connector against what its names stand for now and keeps it as a draft of the caller, for simulation and later publication. Posting the name again revises the draft, also when only a part was revised.
         */
        post: operations["POST_connector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connector/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a connector
         * @description Drafts and published connectors alike; a draft has the address `0x0`. Every field is written.
         */
        get: operations["GET_connector"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Ask whether a connector exists
         * @description Drafts and published connectors alike. Text that cannot be a name does not exist.
         */
        head: operations["HEAD_connector"];
        patch?: never;
        trace?: never;
    };
    "/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a published connector on chain
         * @description A read-only call of the runner contract: no transaction, no gas paid. The call is pinned to one block, so that anyone can check the answer by calling `generate` of the runner at that block.
         */
        post: operations["POST_execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List publications
         * @description What was published, newest first. Page with `cursor.next_before`: every item that stays is met exactly once, whatever is published or reorganised in the meantime. Read the entities themselves for their details.
         */
        get: operations["GET_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the feed
         * @description Server-sent events: a comment `min_available_seq=<n>`; the deltas after `since_seq`, at most `limit`; one event `stream_meta` that describes this replay; then every further delta as it happens, and a comment now and then. A delta has its number as `id` and its feed event type as `event`; its data has `stream_seq`, `event_type`, `status` (`removed` when a reorganisation took it back), `feed_id`, `history_cursor`, `created_at_ms` and `payload`. Numbers rise without gaps. Reconnect with the last one as `since_seq` or `Last-Event-ID`, of which the larger counts: nothing is lost and nothing is repeated, unless `stale_since_seq` says that deltas in between are no longer kept. With `has_more`, the rest follows at once. A reader that falls far behind is disconnected and may resume.
         */
        get: operations["GET_feedStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/format/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connectors of a format
         * @description Published connectors that share a format, ascending, with the labels of its scalars. A format nobody has published has no connectors.
         */
        get: operations["GET_format"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/formats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List formats
         * @description Formats of published connectors, ascending. Page with `cursor.next_after`.
         */
        get: operations["GET_formats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check a query for formats
         * @description Says whether `GET` would accept the query; reads nothing.
         */
        head: operations["HEAD_formats"];
        patch?: never;
        trace?: never;
    };
    "/nonce/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask for a login nonce
         * @description A number to sign within ten minutes, once: sign the exact message `Login nonce: <nonce>` and post it to `/auth`. An address may have any number of them; asking for one leaves the others valid.
         */
        get: operations["GET_nonce"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/publish/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a publication
         * @description Looks up what became of the transaction, relayed or sent by a browser wallet. 202 with `status` `pending` means not mined yet: repeat the request. Reads follow the events of the registry, not this answer.
         */
        post: operations["POST_publishConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/publish/{kind}/prepare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a publication
         * @description Checks that the caller's draft can be published now and returns the transaction to sign. With `relay` it also returns nonce and fees, for `send`; without, a browser wallet chooses its own. Asking again gives the same answer while nothing changed. Dependencies are not published along: they must be registered first.
         */
        post: operations["POST_publishPrepare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/publish/{kind}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Relay a signed publication
         * @description Broadcasts `transaction` merged with `signing` of a relay prepare, signed by the caller. It must be exactly the prepared publication and succeed in a dry run. A transaction that the chain already knows gives the same answer.
         */
        post: operations["POST_publishSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a connector
         * @description Runs a draft or published connector in the local EVM of this server, with the meaning it has on chain. A published connector shadows a draft of its name. Code that reads the block finds the newest one; what only the chain knows, such as other contracts, is a 400 that names it. The result carries no provenance: `/execute` does.
         */
        post: operations["POST_simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft a transformation
         * @description Compiles the body of `run(uint32 x, uint32[] args) returns (uint32)` and keeps it as a draft of the caller, for simulation and later publication. Posting the name again revises the draft.
         */
        post: operations["POST_transformation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transformation/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transformation
         * @description Drafts and published transformations alike; a draft has the address `0x0`. The source is never returned.
         */
        get: operations["GET_transformation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Ask whether a transformation exists
         * @description Drafts and published transformations alike. Text that cannot be a name does not exist.
         */
        head: operations["HEAD_transformation"];
        patch?: never;
        trace?: never;
    };
    "/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the API version
         * @description The version of this API and when the server was built.
         */
        get: operations["GET_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountCursor: {
            has_more: boolean;
            /** @description Pass as `after` for the next page; null when there is none. */
            next_after: string | null;
        };
        AccountInfoResponse: {
            address: components["schemas"]["Address"];
            cursor_conditions: components["schemas"]["NameCursor"];
            cursor_connectors: components["schemas"]["NameCursor"];
            cursor_transformations: components["schemas"]["NameCursor"];
            limit: number;
            owned_conditions: string[];
            owned_connectors: string[];
            owned_transformations: string[];
        };
        AccountListResponse: {
            accounts: components["schemas"]["Address"][];
            cursor: components["schemas"]["AccountCursor"];
            limit: number;
            /** Format: int64 */
            total_accounts: number;
        };
        /**
         * @description An account, lower case without `0x`.
         * @example f39fd6e51aad88f6f4ce6ab8827279cfffb92266
         */
        Address: string;
        AlreadyPublished: {
            /** @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 */
            address: string;
            content_hash: components["schemas"]["Hash32"];
            kind: components["schemas"]["EntityKind"];
            name: string;
            /** @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 */
            owner: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "published";
        };
        AuthRequest: {
            /**
             * @description An account: 40 hexadecimal digits, with or without `0x`, in any case.
             * @example f39fd6e51aad88f6f4ce6ab8827279cfffb92266
             */
            address: string;
            /**
             * @description Exactly `Login nonce: <nonce>`.
             * @example Login nonce: 123456
             */
            message: string;
            /** @description EIP-191 signature of the message, hexadecimal, with or without `0x`. */
            signature: string;
        };
        AuthResponse: {
            /** @description A JWT, valid five minutes. */
            access_token: string;
        };
        ConditionInfoResponse: {
            /**
             * @description Where the entity is on chain, `0x` with lower case; `0x0` while it is a draft.
             * @example 0x0
             */
            address: string;
            /** Format: int64 */
            args_count: number;
            name: string;
            owner: components["schemas"]["Address"];
        };
        ConfirmRequest: {
            /**
             * @description 32 bytes: 64 hexadecimal digits, with or without `0x`, in any case.
             * @example 4c5e1d9bf84ee0d4dd4f4f1f0d8f9ba1a8ed4aa42a5a5dd7ff0a1f6ad2f7b8c1
             */
            content_hash: string;
            name: components["schemas"]["EntityName"];
            /**
             * @description 32 bytes: 64 hexadecimal digits, with or without `0x`, in any case.
             * @example 4c5e1d9bf84ee0d4dd4f4f1f0d8f9ba1a8ed4aa42a5a5dd7ff0a1f6ad2f7b8c1
             */
            tx_hash: string;
        };
        ConfirmResponse: {
            /** @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 */
            address: string;
            /** Format: int64 */
            block_number: number;
            content_hash: components["schemas"]["Hash32"];
            kind: components["schemas"]["EntityKind"];
            name: string;
            /** @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 */
            owner: string;
            /** @enum {string} */
            status: "mined";
            tx_hash: components["schemas"]["Hash32"];
        };
        /** @description One dimension of a connector. */
        ConnectorDimension: {
            /**
             * @description Slot of the composite -> connector that fills it; keys are canonical decimals.
             * @example {
             *       "0": "time"
             *     }
             */
            bindings?: {
                [key: string]: string;
            };
            /** @description The connector this dimension selects from; empty for a scalar. */
            composite?: string;
            /** @description Applied in order, cyclically. */
            transformations: components["schemas"]["TransformationCallDef"][];
        };
        /** @description One dimension of a connector, every field written. */
        ConnectorDimensionInfo: {
            bindings: {
                [key: string]: string;
            };
            /** @description Empty for a scalar. */
            composite: string;
            transformations: components["schemas"]["TransformationCall"][];
        };
        ConnectorInfoResponse: {
            /**
             * @description Where the entity is on chain, `0x` with lower case; `0x0` while it is a draft.
             * @example 0x0
             */
            address: string;
            condition_args: number[];
            /** @description Empty when there is no condition. */
            condition_name: string;
            dimensions: components["schemas"]["ConnectorDimensionInfo"][];
            format_hash: components["schemas"]["FormatHash"];
            name: string;
            owner: components["schemas"]["Address"];
            static_ri: {
                [key: string]: components["schemas"]["RunningInstance"];
            };
        };
        /**
         * @example {
         *       "name": "threshold",
         *       "sol_src": "return args[0] >= args[1];"
         *     }
         */
        CreateConditionRequest: {
            name: components["schemas"]["EntityName"];
            /** @description Body of the Solidity function, at most 32 KiB. No endpoint returns it. */
            sol_src: string;
        };
        CreateConditionResponse: {
            /**
             * @description A draft has no address yet.
             * @enum {string}
             */
            address: "0x0";
            /** Format: int64 */
            args_count: number;
            name: string;
            owner: components["schemas"]["Address"];
        };
        /**
         * @example {
         *       "name": "pitch",
         *       "dimensions": [
         *         {
         *           "transformations": [
         *             {
         *               "name": "add",
         *               "args": [
         *                 1
         *               ]
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        CreateConnectorRequest: {
            /** @description Arguments of the condition, int32 each. */
            condition_args?: number[];
            /** @description The condition that guards the connector; empty for none. */
            condition_name?: string;
            dimensions: components["schemas"]["ConnectorDimension"][];
            name: components["schemas"]["EntityName"];
            /**
             * @description Running instances by position; keys are canonical decimals.
             * @example {
             *       "2": {
             *         "start_point": 60,
             *         "transformation_shift": 0
             *       }
             *     }
             */
            static_ri?: {
                [key: string]: components["schemas"]["RunningInstance"];
            };
        };
        CreateConnectorResponse: {
            /**
             * @description A draft has no address yet.
             * @enum {string}
             */
            address: "0x0";
            format_hash: components["schemas"]["FormatHash"];
            name: string;
            owner: components["schemas"]["Address"];
        };
        /**
         * @example {
         *       "name": "add",
         *       "sol_src": "return x + args[0];"
         *     }
         */
        CreateTransformationRequest: {
            name: components["schemas"]["EntityName"];
            /** @description Body of the Solidity function, at most 32 KiB. No endpoint returns it. */
            sol_src: string;
        };
        CreateTransformationResponse: {
            /**
             * @description A draft has no address yet.
             * @enum {string}
             */
            address: "0x0";
            /** Format: int64 */
            args_count: number;
            name: string;
            owner: components["schemas"]["Address"];
        };
        /** @enum {string} */
        EntityKind: "connector" | "transformation" | "condition";
        /**
         * @description Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow the chain.
         * @example pitch
         */
        EntityName: string;
        /**
         * @example {
         *       "message": "Connector not found"
         *     }
         */
        ErrorResponse: {
            /** @description What is wrong, for people. */
            message: string;
        };
        /**
         * @example {
         *       "connector_name": "pitch",
         *       "particles_count": 12
         *     }
         */
        ExecuteRequest: {
            /** @example pitch */
            connector_name: string;
            /**
             * @description Overrides of running instances by position; keys are canonical decimals.
             * @example {
             *       "2": {
             *         "start_point": 60,
             *         "transformation_shift": 0
             *       }
             *     }
             */
            dynamic_ri?: {
                [key: string]: components["schemas"]["RunningInstance"];
            };
            /**
             * @description Number of steps to generate, 1 to 65536; an integer or its decimal string.
             * @example 12
             */
            particles_count: number | string;
        };
        ExecuteResponse: {
            block_hash: components["schemas"]["Hash32"];
            /**
             * Format: int64
             * @description The block the call was pinned to.
             */
            block_number: number;
            particles: components["schemas"]["ParticlesResultItem"][];
            /**
             * @description The runner contract that answered.
             * @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266
             */
            runner: string;
        };
        FeedCursor: {
            has_more: boolean;
            /** @description Pass as `before` for the next page; null when there is none. */
            next_before: string | null;
        };
        FeedEventPayload: {
            name: string;
            /** @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 */
            owner: string;
            /** @enum {string} */
            type: "connector" | "transformation" | "condition";
        };
        /** @enum {string} */
        FeedEventStatus: "observed" | "safe" | "finalized" | "removed";
        /** @enum {string} */
        FeedEventType: "connector_added" | "transformation_added" | "condition_added";
        FeedItem: {
            /** Format: int64 */
            block_number: number;
            /**
             * Format: int64
             * @description Unix milliseconds of the block.
             */
            created_at_ms: number;
            event_type: components["schemas"]["FeedEventType"];
            /**
             * @description Identity of the logical event, whatever block it is in.
             * @example 31337:connector_added:pitch
             */
            feed_id: string;
            /**
             * @description Sorts like the position on chain.
             * @example 000000000000042-00000000-00000000
             */
            history_cursor: string;
            /** Format: int64 */
            log_index: number;
            payload: components["schemas"]["FeedEventPayload"];
            projector_version: number;
            status: components["schemas"]["FeedEventStatus"];
            tx_hash: components["schemas"]["Hash32"];
            /** Format: int64 */
            tx_index: number;
            /**
             * Format: int64
             * @description Unix milliseconds of the last change of the item.
             */
            updated_at_ms: number;
            /** @description False after a reorganisation took the event back. */
            visible: boolean;
        };
        FeedPage: {
            cursor: components["schemas"]["FeedCursor"];
            items: components["schemas"]["FeedItem"][];
            limit: number;
        };
        /**
         * @description 32 bytes, lower case without `0x`.
         * @example 4c5e1d9bf84ee0d4dd4f4f1f0d8f9ba1a8ed4aa42a5a5dd7ff0a1f6ad2f7b8c1
         */
        FormatHash: string;
        FormatHashCursor: {
            has_more: boolean;
            /** @description Pass as `after` for the next page; null when there is none. */
            next_after: string | null;
        };
        FormatInfoResponse: {
            connectors: string[];
            cursor: components["schemas"]["NameCursor"];
            format_hash: components["schemas"]["FormatHash"];
            limit: number;
            /** @description Labels of the form `scalar:tail_id`. */
            scalars: string[];
            /** Format: int64 */
            total_connectors: number;
        };
        FormatListResponse: {
            cursor: components["schemas"]["FormatHashCursor"];
            formats: components["schemas"]["FormatHash"][];
            limit: number;
            /** Format: int64 */
            total_formats: number;
        };
        /**
         * @description 32 bytes, lower case with `0x`.
         * @example 0x4c5e1d9bf84ee0d4dd4f4f1f0d8f9ba1a8ed4aa42a5a5dd7ff0a1f6ad2f7b8c1
         */
        Hash32: string;
        NameCursor: {
            has_more: boolean;
            /** @description Pass as `after` for the next page; null when there is none. */
            next_after: string | null;
        };
        NonceResponse: {
            /** @example 309485009821345068724781056123456789012 */
            nonce: string;
        };
        ParticlesResultItem: {
            data: number[];
            /**
             * @description Fully qualified execution path.
             * @example /pitch:0
             */
            path: string;
        };
        PreparedPublication: {
            /**
             * @description Where the entity will be.
             * @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266
             */
            address: string;
            content_hash: components["schemas"]["Hash32"];
            /**
             * Format: int64
             * @description Unix seconds after which the registry refuses the transaction.
             */
            deadline: number;
            kind: components["schemas"]["EntityKind"];
            name: string;
            /**
             * Format: int64
             * @description The owner's publication nonce bound into the transaction.
             */
            publication_nonce: number;
            /** @description Only when the request set `relay`. */
            signing?: components["schemas"]["SigningFields"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "prepared";
            transaction: components["schemas"]["UnsignedTransaction"];
        };
        /**
         * @example {
         *       "name": "pitch",
         *       "relay": true
         *     }
         */
        PrepareRequest: {
            name: components["schemas"]["EntityName"];
            /**
             * @description Fill in nonce and fees, for signing without a wallet that does.
             * @default false
             */
            relay: boolean;
        };
        PrepareResponse: components["schemas"]["PreparedPublication"] | components["schemas"]["AlreadyPublished"];
        PublishError: {
            message: string;
            /** @description `<kind>/<name>` of dependencies registered with another artifact. */
            mismatched?: string[];
            /** @description `<kind>/<name>` of dependencies absent from the registry. */
            missing?: string[];
            /**
             * @description On 202 only.
             * @enum {string}
             */
            status?: "pending";
            tx_hash?: string;
        };
        /** @description Where a running instance starts and how far it is shifted. */
        RunningInstance: {
            /** Format: int64 */
            start_point: number;
            /** Format: int64 */
            transformation_shift: number;
        };
        SendRequest: {
            /**
             * @description 32 bytes: 64 hexadecimal digits, with or without `0x`, in any case.
             * @example 4c5e1d9bf84ee0d4dd4f4f1f0d8f9ba1a8ed4aa42a5a5dd7ff0a1f6ad2f7b8c1
             */
            content_hash: string;
            name: components["schemas"]["EntityName"];
            /** @description The signed type-2 transaction, hexadecimal. */
            raw_tx: string;
        };
        SendResponse: {
            /** @enum {string} */
            status: "pending";
            tx_hash: components["schemas"]["Hash32"];
        };
        SigningFields: {
            /** @example 0x1a2b */
            maxFeePerGas: string;
            /** @example 0x1a2b */
            maxPriorityFeePerGas: string;
            /** @example 0x1a2b */
            nonce: string;
            /** @enum {string} */
            type: "0x2";
            /** @enum {string} */
            value: "0x0";
        };
        TransformationCall: {
            args: number[];
            name: string;
        };
        /**
         * @description A transformation with its arguments, uint32 each.
         * @example {
         *       "name": "add",
         *       "args": [
         *         1
         *       ]
         *     }
         */
        TransformationCallDef: {
            args?: number[];
            name: string;
        };
        TransformationInfoResponse: {
            /**
             * @description Where the entity is on chain, `0x` with lower case; `0x0` while it is a draft.
             * @example 0x0
             */
            address: string;
            /** Format: int64 */
            args_count: number;
            name: string;
            owner: components["schemas"]["Address"];
        };
        UnsignedTransaction: {
            /** @example 0x1a2b */
            chainId: string;
            data: string;
            /** @example 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 */
            from: string;
            /**
             * @description Estimate plus headroom.
             * @example 0x1a2b
             */
            gas: string;
            /** @description The registry, with its EIP-55 checksum. */
            to: string;
        };
        VersionResponse: {
            /** Format: date-time */
            build_timestamp: string;
            /** @example 0.4.0 */
            version: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    GET_accountInfo: {
        parameters: {
            query: {
                after_conditions?: string;
                after_connectors?: string;
                after_transformations?: string;
                /** @description Largest number of entries in the answer. */
                limit: number;
            };
            header?: never;
            path: {
                /** @description An account: 40 hexadecimal digits, with or without `0x`, in any case. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of each list */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "limit": 50,
                     *       "owned_connectors": [
                     *         "pitch"
                     *       ],
                     *       "owned_transformations": [
                     *         "add"
                     *       ],
                     *       "owned_conditions": [
                     *         "threshold"
                     *       ],
                     *       "cursor_connectors": {
                     *         "has_more": false,
                     *         "next_after": null
                     *       },
                     *       "cursor_transformations": {
                     *         "has_more": false,
                     *         "next_after": null
                     *       },
                     *       "cursor_conditions": {
                     *         "has_more": false,
                     *         "next_after": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountInfoResponse"];
                };
            };
            /** @description Invalid address, limit or cursor */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid address, limit or cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_accounts: {
        parameters: {
            query: {
                after?: string;
                /** @description Largest number of entries in the answer. */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limit": 50,
                     *       "total_accounts": 1,
                     *       "cursor": {
                     *         "has_more": false,
                     *         "next_after": null
                     *       },
                     *       "accounts": [
                     *         "f39fd6e51aad88f6f4ce6ab8827279cfffb92266"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccountListResponse"];
                };
            };
            /** @description Invalid limit or cursor */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid limit or cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    HEAD_accounts: {
        parameters: {
            query: {
                after?: string;
                /** @description Largest number of entries in the answer. */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The query is valid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid limit or cursor */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    POST_auth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                 *       "message": "Login nonce: 309485009821345068724781056123456789012",
                 *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c1b"
                 *     }
                 */
                "application/json": components["schemas"]["AuthRequest"];
            };
        };
        responses: {
            /** @description The access token */
            200: {
                headers: {
                    /** @description `Bearer <access_token>` */
                    Authorization?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIweGYzOWYifQ.c2lnbmF0dXJl"
                     *     }
                     */
                    "application/json": components["schemas"]["AuthResponse"];
                };
            };
            /** @description Invalid address, nonce, message or signature */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid address, nonce, message or signature"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 262144 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too many such requests within a minute, `Retry-After` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    POST_condition: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "threshold",
                 *       "sol_src": "return args[0] >= args[1];"
                 *     }
                 */
                "application/json": components["schemas"]["CreateConditionRequest"];
            };
        };
        responses: {
            /** @description The draft */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "threshold",
                     *       "owner": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "address": "0x0",
                     *       "args_count": 2
                     *     }
                     */
                    "application/json": components["schemas"]["CreateConditionResponse"];
                };
            };
            /** @description Invalid payload, or the body does not compile: the message has lines and columns of the body */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid payload, or the body does not compile: the message has lines and columns of the body"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Missing, invalid or expired bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is reserved on chain, or another account drafts under it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The name is reserved on chain, or another account drafts under it"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 262144 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has too many drafts; or too many such requests within a minute, `retry-after` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The account has too many drafts; or too many such requests within a minute, `retry-after` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name cannot be checked on chain, or too many bodies are being compiled */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The name cannot be checked on chain, or too many bodies are being compiled"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_condition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow the chain. */
                name: components["schemas"]["EntityName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The condition */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "threshold",
                     *       "args_count": 2,
                     *       "owner": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "address": "0x0"
                     *     }
                     */
                    "application/json": components["schemas"]["ConditionInfoResponse"];
                };
            };
            /** @description Invalid name */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid name"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Condition not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Condition not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Its artifact cannot be read */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Its artifact cannot be read"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    HEAD_condition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow the chain. */
                name: components["schemas"]["EntityName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It exists */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Condition not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    POST_connector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pitch",
                 *       "dimensions": [
                 *         {
                 *           "transformations": [
                 *             {
                 *               "name": "add",
                 *               "args": [
                 *                 1
                 *               ]
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateConnectorRequest"];
            };
        };
        responses: {
            /** @description The draft */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "pitch",
                     *       "owner": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "address": "0x0",
                     *       "format_hash": "4e5aa46feeb2db48b7df17d424f29bfdee2ccbfdf2433a99da6be58d3c9e3101"
                     *     }
                     */
                    "application/json": components["schemas"]["CreateConnectorResponse"];
                };
            };
            /** @description Invalid payload, or a creation check fails: the message names the check and the entity */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid payload, or a creation check fails: the message names the check and the entity"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Missing, invalid or expired bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is reserved on chain, or another account drafts under it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The name is reserved on chain, or another account drafts under it"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 262144 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has too many drafts; or too many such requests within a minute, `retry-after` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The account has too many drafts; or too many such requests within a minute, `retry-after` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Format look-up error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Format look-up error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name cannot be checked on chain, or a published part is not available yet */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The name cannot be checked on chain, or a published part is not available yet"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_connector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow the chain. */
                name: components["schemas"]["EntityName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "pitch",
                     *       "dimensions": [
                     *         {
                     *           "transformations": [
                     *             {
                     *               "name": "add",
                     *               "args": [
                     *                 1
                     *               ]
                     *             }
                     *           ],
                     *           "composite": "",
                     *           "bindings": {}
                     *         }
                     *       ],
                     *       "condition_name": "",
                     *       "condition_args": [],
                     *       "static_ri": {},
                     *       "owner": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "address": "0x8f3ac1f9a0e1b3d24f5c0a7d9e6b2c4158ad7e90",
                     *       "format_hash": "4e5aa46feeb2db48b7df17d424f29bfdee2ccbfdf2433a99da6be58d3c9e3101"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorInfoResponse"];
                };
            };
            /** @description Invalid name */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid name"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Connector not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Connector not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Its definition cannot be read */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Its definition cannot be read"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    HEAD_connector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow the chain. */
                name: components["schemas"]["EntityName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It exists */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Connector not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    POST_execute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connector_name": "pitch",
                 *       "particles_count": 12
                 *     }
                 */
                "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        responses: {
            /** @description The particles and where they come from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "block_number": 42,
                     *       "block_hash": "0x5d1e3f7a9c0b2d4f6e8a1c3b5d7f9e0a2c4b6d8f1e3a5c7b9d0f2e4a6c8b1d3f",
                     *       "runner": "0xe7f1725e7734ce288f8367e1bb143e90b3f0512e",
                     *       "particles": [
                     *         {
                     *           "path": "/pitch:0",
                     *           "data": [
                     *             0,
                     *             1,
                     *             2,
                     *             3,
                     *             4,
                     *             5,
                     *             6,
                     *             7,
                     *             8,
                     *             9,
                     *             10,
                     *             11
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ExecuteResponse"];
                };
            };
            /** @description Bad request, the runner rejected the run (for example `Execution rejected: Condition not met`), or its answer exceeds a limit of this server */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad request, the runner rejected the run (for example `Execution rejected: Condition not met`), or its answer exceeds a limit of this server"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The registry of the runner has no such connector */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The registry of the runner has no such connector"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Body larger than 1048576 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 1048576 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too many such requests within a minute, `Retry-After` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Response decoding error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Response decoding error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The chain returned a malformed result */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The chain returned a malformed result"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No chain is configured, or its endpoint is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "No chain is configured, or its endpoint is unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_feed: {
        parameters: {
            query: {
                before?: string;
                include_unfinalized?: 0 | 1;
                /** @description Largest number of entries in the answer. */
                limit: number;
                type?: "connector_added" | "transformation_added" | "condition_added";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the feed */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limit": 50,
                     *       "cursor": {
                     *         "has_more": false,
                     *         "next_before": null
                     *       },
                     *       "items": [
                     *         {
                     *           "feed_id": "31337:connector_added:pitch",
                     *           "event_type": "connector_added",
                     *           "status": "finalized",
                     *           "visible": true,
                     *           "tx_hash": "0x91c7e5a3f2d4b6c8e0a1b3d5f7092846cadb1e3f5a7c9d0b2e4f6a8c1d3b5e7f",
                     *           "block_number": 42,
                     *           "tx_index": 0,
                     *           "log_index": 0,
                     *           "history_cursor": "000000000000042-00000000-00000000",
                     *           "created_at_ms": 1767225600000,
                     *           "updated_at_ms": 1767225720000,
                     *           "projector_version": 1,
                     *           "payload": {
                     *             "type": "connector",
                     *             "name": "pitch",
                     *             "owner": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
            /** @description Invalid limit, cursor, type or include_unfinalized */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid limit, cursor, type or include_unfinalized"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_feedStream: {
        parameters: {
            query?: {
                limit?: number;
                since_seq?: number;
            };
            header?: {
                /** @description The last number received; an `EventSource` sends it by itself. What is no such number is ignored. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example : min_available_seq=1
                     *
                     *     id: 1
                     *     event: connector_added
                     *     data: {"stream_seq":1,"event_type":"connector_added","status":"observed","feed_id":"31337:connector_added:pitch","history_cursor":"000000000000042-00000000-00000000","created_at_ms":1767225600000,"payload":{"type":"connector","name":"pitch","owner":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}}
                     *
                     *     event: stream_meta
                     *     data: {"has_more":false,"last_seq":1,"requested_since_seq":0,"min_available_seq":1,"replay_floor_seq":1,"stale_since_seq":false}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Invalid since_seq or limit */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid since_seq or limit"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description As many streams as one client address may have are open */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "As many streams as one client address may have are open"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_format: {
        parameters: {
            query: {
                after?: string;
                /** @description Largest number of entries in the answer. */
                limit: number;
            };
            header?: never;
            path: {
                /** @description 32 bytes: 64 hexadecimal digits, with or without `0x`, in any case. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connectors */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format_hash": "4e5aa46feeb2db48b7df17d424f29bfdee2ccbfdf2433a99da6be58d3c9e3101",
                     *       "limit": 50,
                     *       "total_connectors": 1,
                     *       "cursor": {
                     *         "has_more": false,
                     *         "next_after": null
                     *       },
                     *       "scalars": [
                     *         "pitch:0"
                     *       ],
                     *       "connectors": [
                     *         "pitch"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FormatInfoResponse"];
                };
            };
            /** @description Invalid hash, limit or cursor */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid hash, limit or cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_formats: {
        parameters: {
            query: {
                after?: string;
                /** @description Largest number of entries in the answer. */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of formats */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limit": 50,
                     *       "total_formats": 1,
                     *       "cursor": {
                     *         "has_more": false,
                     *         "next_after": null
                     *       },
                     *       "formats": [
                     *         "4e5aa46feeb2db48b7df17d424f29bfdee2ccbfdf2433a99da6be58d3c9e3101"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FormatListResponse"];
                };
            };
            /** @description Invalid limit or cursor */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid limit or cursor"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    HEAD_formats: {
        parameters: {
            query: {
                after?: string;
                /** @description Largest number of entries in the answer. */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The query is valid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid limit or cursor */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_nonce: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An account: 40 hexadecimal digits, with or without `0x`, in any case. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A fresh nonce */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nonce": "309485009821345068724781056123456789012"
                     *     }
                     */
                    "application/json": components["schemas"]["NonceResponse"];
                };
            };
            /** @description Invalid address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid address"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too many such requests within a minute, `Retry-After` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    POST_publishConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of entity. */
                kind: "connector" | "transformation" | "condition";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pitch",
                 *       "content_hash": "0x2b7d3c5f0e9a84611f6e0d3a7c58b9e2f4a6c8d0e1b3957f2a4c6e8d0b1f3a5c",
                 *       "tx_hash": "0x91c7e5a3f2d4b6c8e0a1b3d5f7092846cadb1e3f5a7c9d0b2e4f6a8c1d3b5e7f"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmRequest"];
            };
        };
        responses: {
            /** @description The publication is mined */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "mined",
                     *       "kind": "connector",
                     *       "name": "pitch",
                     *       "address": "0x8f3ac1f9a0e1b3d24f5c0a7d9e6b2c4158ad7e90",
                     *       "owner": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "content_hash": "0x2b7d3c5f0e9a84611f6e0d3a7c58b9e2f4a6c8d0e1b3957f2a4c6e8d0b1f3a5c",
                     *       "tx_hash": "0x91c7e5a3f2d4b6c8e0a1b3d5f7092846cadb1e3f5a7c9d0b2e4f6a8c1d3b5e7f",
                     *       "block_number": 42
                     *     }
                     */
                    "application/json": components["schemas"]["ConfirmResponse"];
                };
            };
            /** @description Not mined yet: `status` is `pending` */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Not mined yet: `status` is `pending`",
                     *       "status": "pending"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Invalid request, or the transaction reverted or registered something else */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid request, or the transaction reverted or registered something else"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Missing, invalid or expired bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Publication is disabled */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Publication is disabled"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Unknown kind */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Unknown kind"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The registry holds something else under the name */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The registry holds something else under the name"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 262144 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too many such requests within a minute, `Retry-After` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The chain or the storage is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The chain or the storage is unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
        };
    };
    POST_publishPrepare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of entity. */
                kind: "connector" | "transformation" | "condition";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pitch",
                 *       "relay": true
                 *     }
                 */
                "application/json": components["schemas"]["PrepareRequest"];
            };
        };
        responses: {
            /** @description What to sign, or where the entity is published already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "prepared",
                     *       "kind": "connector",
                     *       "name": "pitch",
                     *       "transaction": {
                     *         "from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *         "to": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
                     *         "data": "0x5b1e8a40",
                     *         "chainId": "0x7a69",
                     *         "gas": "0x5f5e1"
                     *       },
                     *       "address": "0x8f3ac1f9a0e1b3d24f5c0a7d9e6b2c4158ad7e90",
                     *       "content_hash": "0x2b7d3c5f0e9a84611f6e0d3a7c58b9e2f4a6c8d0e1b3957f2a4c6e8d0b1f3a5c",
                     *       "publication_nonce": 0,
                     *       "deadline": 1767229200,
                     *       "signing": {
                     *         "type": "0x2",
                     *         "nonce": "0x1",
                     *         "maxFeePerGas": "0x77359400",
                     *         "maxPriorityFeePerGas": "0x3b9aca00",
                     *         "value": "0x0"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrepareResponse"];
                };
            };
            /** @description Invalid request, the entity cannot be rebuilt, or the transaction would revert */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid request, the entity cannot be rebuilt, or the transaction would revert"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Missing, invalid or expired bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Publication is disabled, or the caller does not own the entity */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Publication is disabled, or the caller does not own the entity"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Unknown kind, or no local definition */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Unknown kind, or no local definition"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The registry holds different content under the name, or dependencies are `missing` or `mismatched` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The registry holds different content under the name, or dependencies are `missing` or `mismatched`"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 262144 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too many such requests within a minute, `Retry-After` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The chain or the storage is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The chain or the storage is unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
        };
    };
    POST_publishSend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of entity. */
                kind: "connector" | "transformation" | "condition";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pitch",
                 *       "content_hash": "0x2b7d3c5f0e9a84611f6e0d3a7c58b9e2f4a6c8d0e1b3957f2a4c6e8d0b1f3a5c",
                 *       "raw_tx": "0x02f8b0827a69"
                 *     }
                 */
                "application/json": components["schemas"]["SendRequest"];
            };
        };
        responses: {
            /** @description The transaction is with the chain */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "pending",
                     *       "tx_hash": "0x91c7e5a3f2d4b6c8e0a1b3d5f7092846cadb1e3f5a7c9d0b2e4f6a8c1d3b5e7f"
                     *     }
                     */
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
            /** @description Invalid request or transaction, a transaction other than this publication, a dry-run revert, too little gas, insufficient funds */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid request or transaction, a transaction other than this publication, a dry-run revert, too little gas, insufficient funds"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Missing, invalid or expired bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Publication is disabled, or another account signed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Publication is disabled, or another account signed"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Unknown kind */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Unknown kind"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The account nonce is already used, or another transaction with it is pending: prepare again */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The account nonce is already used, or another transaction with it is pending: prepare again"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 262144 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too many such requests within a minute, `Retry-After` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
            /** @description The chain or the storage is unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The chain or the storage is unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["PublishError"];
                };
            };
        };
    };
    POST_simulate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connector_name": "pitch",
                 *       "particles_count": 12
                 *     }
                 */
                "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        responses: {
            /** @description One item for each path */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "path": "/pitch:0",
                     *         "data": [
                     *           0,
                     *           1,
                     *           2,
                     *           3,
                     *           4,
                     *           5,
                     *           6,
                     *           7,
                     *           8,
                     *           9,
                     *           10,
                     *           11
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ParticlesResultItem"][];
                };
            };
            /** @description Bad request, the run was rejected (for example `Execution rejected: Condition not met`), or it exceeds a limit of this server */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad request, the run was rejected (for example `Execution rejected: Condition not met`), or it exceeds a limit of this server"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Connector not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Connector not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Body larger than 1048576 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 1048576 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many such requests within a minute, `Retry-After` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too many such requests within a minute, `Retry-After` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The local EVM failed */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The local EVM failed"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A published connector, or a part of it, cannot be rebuilt yet; code reads the block, and the chain does not answer; or too many runs are waiting */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "A published connector, or a part of it, cannot be rebuilt yet; code reads the block, and the chain does not answer; or too many runs are waiting"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    POST_transformation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "add",
                 *       "sol_src": "return x + args[0];"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTransformationRequest"];
            };
        };
        responses: {
            /** @description The draft */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "add",
                     *       "owner": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "address": "0x0",
                     *       "args_count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CreateTransformationResponse"];
                };
            };
            /** @description Invalid payload, or the body does not compile: the message has lines and columns of the body */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid payload, or the body does not compile: the message has lines and columns of the body"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Missing, invalid or expired bearer token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Missing, invalid or expired bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is reserved on chain, or another account drafts under it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The name is reserved on chain, or another account drafts under it"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Body larger than 262144 bytes */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Body larger than 262144 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not announced as JSON, or it is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The body is not announced as JSON, or it is compressed"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has too many drafts; or too many such requests within a minute, `retry-after` says how many seconds to wait */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The account has too many drafts; or too many such requests within a minute, `retry-after` says how many seconds to wait"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name cannot be checked on chain, or too many bodies are being compiled */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The name cannot be checked on chain, or too many bodies are being compiled"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    GET_transformation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow the chain. */
                name: components["schemas"]["EntityName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transformation */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "add",
                     *       "args_count": 1,
                     *       "owner": "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                     *       "address": "0x3c5a1f7e9b0d2c4e6f8a1b3d5c7e9f0a2b4d6c8e"
                     *     }
                     */
                    "application/json": components["schemas"]["TransformationInfoResponse"];
                };
            };
            /** @description Invalid name */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Invalid name"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Transformation not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Transformation not found"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Its artifact cannot be read */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Its artifact cannot be read"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    HEAD_transformation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Starts with a letter or `_`, then letters, digits and `_`. Creation refuses reserved words of Solidity; reads follow the chain. */
                name: components["schemas"]["EntityName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It exists */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Transformation not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    GET_version: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version */
            200: {
                headers: {
                    /** @description Send it as `If-None-Match` to be told by a 304, without a body, that nothing changed. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "build_timestamp": "2026-03-01T12:00:00.000Z",
                     *       "version": "0.4.0"
                     *     }
                     */
                    "application/json": components["schemas"]["VersionResponse"];
                };
            };
            /** @description Something broke on our side: `X-Request-Id` names the request in our logs */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Something broke on our side: `X-Request-Id` names the request in our logs"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The server is too busy, or what it stands on is away: `Retry-After` says when to come back */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The server is too busy, or what it stands on is away: `Retry-After` says when to come back"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
