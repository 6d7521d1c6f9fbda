ALTER TYPE "client_status" ADD VALUE 'suspended';
