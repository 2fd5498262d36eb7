extension Schema {
    /// 8: comments are counted apart, and the bodies that count are those of listed posts.
    ///
    /// A source has the address of the site that the relative links of its posts are of.
    static let apartCounts =
        """
        ALTER TABLE blogs ADD COLUMN comment_count INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE blogs ADD COLUMN site TEXT;
        UPDATE blogs SET \(PostIndexes.counts);
        DROP TRIGGER count_new;
        DROP TRIGGER count_changed;
        CREATE TRIGGER count_new AFTER INSERT ON posts BEGIN
            UPDATE blogs SET
                post_count = post_count + NEW.listed,
                unread_count = unread_count + (NEW.listed AND NOT NEW.is_read),
                body_count = body_count + (NEW.listed AND NEW.body_revision IS NOT NULL),
                comment_count = comment_count + (NEW.parent IS NOT NULL)
            WHERE key = NEW.blog;
        END;
        CREATE TRIGGER count_changed AFTER UPDATE OF listed, is_read, body_revision, parent ON posts BEGIN
            UPDATE blogs SET
                post_count = post_count + NEW.listed - OLD.listed,
                unread_count = unread_count + (NEW.listed AND NOT NEW.is_read) - (OLD.listed AND NOT OLD.is_read),
                body_count = body_count + (NEW.listed AND NEW.body_revision IS NOT NULL)
                    - (OLD.listed AND OLD.body_revision IS NOT NULL),
                comment_count = comment_count + (NEW.parent IS NOT NULL) - (OLD.parent IS NOT NULL)
            WHERE key = NEW.blog;
        END;
        """
}
